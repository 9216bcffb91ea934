import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Answer, CallInput, HallSocket, NamespacePath, Route } from '../../client/index.ts'
import { refreshEvery, watchConnection } from '../connection.ts'
import { type ApiError, hall, type Refusable, request, type Store, signIns, viewer } from '../session.ts'
import { Busy, Problem } from './basics.tsx'

interface QueryOptions<T> {
  /** The interval of repeated reads, which also run on focus and after a lost connection. Without it the query reads once. */
  everyMs?: number
  /** Called with each answer that is shown. */
  onAnswer?(answer: T): void
}

export interface Query<T> {
  answer: T | undefined
  error: ApiError | undefined
  load(): Promise<void>
}

const CACHED_MAX = 40
/** The last answers by viewer and query, which a view shows at once when it is opened again. */
const cache = new Map<string, unknown>()

function keep(key: string, answer: unknown): void {
  cache.delete(key)
  cache.set(key, answer)
  for (const oldest of [...cache.keys()].slice(0, -CACHED_MAX)) cache.delete(oldest)
}

const mounted = new Set<{ route: Route; load(): Promise<void> }>()

export async function reload(route: Route): Promise<void> {
  await Promise.all([...mounted].map((query) => query.route === route && query.load()))
}

/** Reads when the query or the viewer changes, on a sign-in, and as the options say; null reads nothing. */
export function useQuery<R extends Route>(
  route: R,
  input: CallInput<R> | null,
  { everyMs, onAnswer }: QueryOptions<Answer<R>> = {},
): Query<Answer<R>> {
  const key = `${viewer.value} ${route} ${JSON.stringify(input)}`
  const [failed, setFailed] = useState<{ key: string; error: ApiError }>()
  const [, redraw] = useState({})
  const running = useRef<AbortController>(undefined)
  const newest = useRef<Promise<void>>(undefined)

  async function read(): Promise<void> {
    running.current?.abort()
    if (input === null) return
    const aborter = new AbortController()
    running.current = aborter
    const { signal } = aborter
    try {
      // The caller's types check the input against its route; here the route is any of them.
      const call = hall.call as (route: R, input: object) => Refusable<Answer<R>, number>
      const answered = await request(call(route, { ...input, signal }))
      signal.throwIfAborted()
      setFailed(answered.ok ? undefined : { key, error: answered.error })
      if (!answered.ok) {
        // Answers that were read in a session that has ended are no longer shown.
        if (Number(answered.error.status) === 401) cache.clear()
        return
      }
      keep(key, answered.value)
      redraw({})
      onAnswer?.(answered.value)
    } catch (problem) {
      if (!signal.aborted) throw problem
      // The caller of an aborted read waits for the later read.
      if (running.current !== aborter) await newest.current
    }
  }
  function load(): Promise<void> {
    newest.current = read()
    return newest.current
  }
  const latest = useRef(load)
  latest.current = load

  useEffect(() => void load(), [key, signIns.value])
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    const query = { route, load: () => latest.current() }
    mounted.add(query)
    return () => void mounted.delete(query)
  }, [route])
  useEffect(() => (everyMs === undefined ? undefined : refreshEvery(everyMs, () => latest.current())), [everyMs])

  return {
    // The key begins with the route, so the answer is of its type.
    answer: cache.get(key) as Answer<R> | undefined,
    error: failed?.key === key ? failed.error : undefined,
    load,
  }
}

export interface LoadedProps<T> {
  query: Pick<Query<T>, 'answer' | 'error'> & { load(): unknown }
  children(answer: T): ComponentChildren
}

/** Draws the answer of a query, or a spinner until the answer has come. The error of a failed read is above it. */
export const Loaded = <T,>({ query: { answer, error, load }, children }: LoadedProps<T>) => (
  <>
    {error && <Problem error={error} onRetry={load} />}
    {answer === undefined ? !error && <Busy /> : children(answer)}
  </>
)

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
