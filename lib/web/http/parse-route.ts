export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A Hono pattern: `/comments/:id/like`. */
  path: string
}

const FILE = /^(?<path>.+)\.(?<method>get|post|put|patch|delete)\.(ts|js)$/
const SEGMENT = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const PARAMETER = /^\[(?<name>[a-zA-Z][a-zA-Z0-9]*)\]$/

/**
 * The route of a function file, from its path below `functions/` with `/` between segments.
 * `comments/[id]/like.put.ts` is `PUT /comments/:id/like`. Null for any other name.
 */
export function parseRoute(file: string): Route | null {
  const groups = FILE.exec(file)?.groups
  if (groups?.path === undefined || groups.method === undefined) return null

  const segments = groups.path.split('/').map((segment) => {
    const name = PARAMETER.exec(segment)?.groups?.name
    if (name !== undefined) return `:${name}`
    return SEGMENT.test(segment) ? segment : null
  })
  const parameters = segments.filter((segment) => segment?.startsWith(':'))
  if (segments.includes(null) || new Set(parameters).size < parameters.length) return null

  // The pattern allows only these five.
  return { method: groups.method.toUpperCase() as Route['method'], path: `/${segments.join('/')}` }
}

/** Sorts fixed segments before parameters, because Hono takes the first match. */
export function compareRoutes(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]

  for (const [index, segment] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (segment === other) continue
    const isParameter = segment.startsWith(':')
    if (isParameter !== other.startsWith(':')) return isParameter ? 1 : -1
    return segment < other ? -1 : 1
  }
  return left.length - right.length
}
