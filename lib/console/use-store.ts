import { useEffect, useState } from 'preact/hooks'
import type { Store } from './hall.ts'

/** Draws the component anew whenever a store of the client changes. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({})
  useEffect(() => {
    const drawn = store.get()
    const unsubscribe = store.subscribe(() => redraw({}))
    if (store.get() !== drawn) redraw({})
    return unsubscribe
  }, [store])
  return store.get()
}
