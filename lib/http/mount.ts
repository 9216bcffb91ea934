import type { Hono, MiddlewareHandler } from 'hono'
import { DomainError } from '../errors.ts'
import type { HttpEnv } from './http-env.ts'
import type { LoadedFunction } from './load-functions.ts'

interface MountOptions {
  functions: readonly LoadedFunction[]
  /** Everything that runs for one function, its handler last. */
  handlersOf(loaded: LoadedFunction): readonly MiddlewareHandler<HttpEnv>[]
  /** Answers the preflight requests of a path. */
  preflight: MiddlewareHandler<HttpEnv>
}

/** Registers the methods of each path, then what answers every other method there, before the next path. */
export function mount(app: Hono<HttpEnv>, { functions, handlersOf, preflight }: MountOptions): void {
  const paths = new Map<string, LoadedFunction[]>()
  for (const loaded of functions) paths.set(loaded.path, [...(paths.get(loaded.path) ?? []), loaded])

  for (const [path, group] of paths) {
    for (const loaded of group) app.on(loaded.method, [path], ...handlersOf(loaded))

    const allow = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')
    app.options(path, preflight, (c) => c.body(null, 204, { Allow: allow.join(', ') }))
    app.all(path, () => {
      throw new DomainError('METHOD_NOT_ALLOWED', `Only ${allow.join(', ')} can be used here`, { allow })
    })
  }
}
