import { useLayoutEffect, useState } from 'preact/hooks'
import type { Store } from './hall.ts'

/** Draws the component anew whenever a store of the client changes. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({})
  const drawn = store.get()
  useLayoutEffect(() => {
    const unsubscribe = store.subscribe(() => redraw({}))
    // The store may have changed between the drawing and this effect.
    if (store.get() !== drawn) redraw({})
    return unsubscribe
  }, [store])
  return drawn
}
