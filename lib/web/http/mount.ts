import type { Hono, MiddlewareHandler } from 'hono'
import { DomainError } from '../../base/errors.ts'
import type { HttpEnv } from './http-env.ts'
import type { LoadedFunction } from './load-functions.ts'

type Handler = MiddlewareHandler<HttpEnv>

interface MountOptions {
  functions: readonly LoadedFunction[]
  createHandlers(loaded: LoadedFunction): readonly Handler[]
  preflight: Handler
  /** Served as `/<key>.txt`, which proves to search engines that submitted addresses belong to this site. */
  indexNowKey?: string | undefined
}

const REDIRECTS = { '/': '/console', '/console/': '/console', '/docs/': '/docs' }

const nameRoute =
  (path: string): Handler =>
  (c, next) => {
    c.set('route', path)
    return next()
  }

function answerOtherMethods(app: Hono<HttpEnv>, path: string, methods: readonly string[], preflight: Handler): void {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')

  app.options(path, nameRoute(path), preflight, (c) => c.body(null, 204, { Allow: allow.join(', ') }))
  app.all(path, nameRoute(path), () => {
    throw new DomainError('METHOD_NOT_ALLOWED', `Only ${allow.join(', ')} can be used here`, { allow })
  })
}

export function mount(app: Hono<HttpEnv>, { functions, createHandlers, preflight, indexNowKey }: MountOptions): void {
  const mountGet = (path: string, answer: Handler) => {
    app.get(path, nameRoute(path), answer)
    answerOtherMethods(app, path, ['GET'], preflight)
  }
  for (const [path, target] of Object.entries(REDIRECTS)) mountGet(path, async (c) => c.redirect(target))
  if (indexNowKey !== undefined) {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    mountGet(`/${indexNowKey}.txt`, async (c) => c.body(indexNowKey, 200, headers))
  }

  const paths = new Map<string, LoadedFunction[]>()
  for (const loaded of functions) paths.set(loaded.path, [...(paths.get(loaded.path) ?? []), loaded])

  for (const [path, group] of paths) {
    for (const loaded of group) app.on(loaded.method, [path], nameRoute(path), ...createHandlers(loaded))
    const methods = group.map(({ method }) => method)
    answerOtherMethods(app, path, methods, preflight)
  }
  // A page sees the 404 of an unknown path only after a successful preflight request.
  app.options('*', preflight, (c, next) =>
    c.req.header('access-control-request-method') === undefined ? next() : Promise.resolve(c.body(null, 204)),
  )
}
