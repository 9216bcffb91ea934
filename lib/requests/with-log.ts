import type { Logger } from '../observability/log.ts'

/** Inherits all other parts; the lines of its log carry the given fields. */
export function withLog<D extends { log: Logger }>(deps: D, fields: Readonly<Record<string, unknown>>): D {
  const own: D = Object.create(deps)
  own.log = deps.log.child(fields)
  return own
}
