import type { Deps } from '../../deps.ts'
import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import { isObject, measured, type Part, type RequestParts } from '../../infrastructure/observability/request-parts.ts'

/** Measures the wait for the turn, and not the turn itself. */
export const measureTurns = (queue: KeyedQueue, parts: RequestParts): KeyedQueue => ({
  run(key, task, options) {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const turn = () => {
      begin()
      return task()
    }
    const run = queue.run(key, turn, options)
    parts.time('turn', Promise.race([begun, run])).catch(() => undefined)
    return run
  },
})

/** The part of a request's time that the wait for each of these dependencies counts as. */
const PART_OF: Readonly<Record<string, Part>> = {
  db: 'database',
  authLimits: 'database',
  commentCaches: 'database',
  sessionUsers: 'database',
  existingGames: 'database',
  activeDiscussions: 'database',
  conflictCounts: 'database',
  sources: 'sources',
  storage: 'storage',
} satisfies Partial<Record<keyof Deps, Part>>

/** Wraps the dependencies for one request, and measures its wait for them. A copy of all for each request would be slow. */
export function measureDeps<D extends Deps>(deps: D, parts: RequestParts): D {
  const { queue, images } = deps
  return new Proxy(deps, {
    get(_target, name) {
      if (name === 'queue') return measureTurns(queue, parts)
      if (name === 'images') return { copy: (input) => images.copy({ ...input, parts }) } satisfies Images
      const value: unknown = Reflect.get(deps, name)
      const part = PART_OF[String(name)]
      return part !== undefined && isObject(value) ? measured(value, part, parts) : value
    },
  })
}
