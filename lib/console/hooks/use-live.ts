import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { HallSocket, NamespacePath } from '../../client/index.ts'
import { watchConnection } from '../connection.ts'
import { hall, type Store } from '../hall.ts'

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({})
  const drawn = store.get()
  useLayoutEffect(() => {
    const unsubscribe = store.subscribe(() => redraw({}))
    // The store may have changed since the component was drawn.
    if (store.get() !== drawn) redraw({})
    return unsubscribe
  }, [store])
  return drawn
}

/** Opens a live store, again when a dependency changes, and closes it with the component. */
export function useLive<S extends Store<unknown> & { close(): void }>(
  open: () => S,
  dependencies: readonly unknown[],
): { live: S; state: ReturnType<S['get']> } {
  const live = useMemo(open, dependencies)
  useEffect(() => () => live.close(), [live])
  // The state's type follows from that of the store.
  return { live, state: useStore(live) as ReturnType<S['get']> }
}

/** Includes a namespace in the connection line and listens to its events, again when a dependency changes; null opens none. */
export function useConnection<N extends NamespacePath>(
  path: N | null,
  listen?: (socket: HallSocket<N>) => void,
  dependencies: readonly unknown[] = [],
): void {
  useEffect(() => {
    if (path === null) return
    const socket = hall.socket(path)
    listen?.(socket)
    const unwatch = watchConnection(socket.connection)
    return () => {
      unwatch()
      socket.close()
    }
  }, [path, ...dependencies])
}
