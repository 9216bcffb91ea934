import type { z } from 'zod'
import { DomainError } from '../../errors.ts'

/**
 * Reads picked fields of a stored payload by their contract; ids may be stored as such.
 * @throws DomainError INVALID for a payload that was not stored by this service
 */
export function parsePayload<S extends z.ZodType>(schema: S, payload: Readonly<Record<string, unknown>>): z.output<S> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(payload)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new DomainError('INVALID', issue ? `${issue.path.join('.')}: ${issue.message}` : 'Invalid payload')
}
