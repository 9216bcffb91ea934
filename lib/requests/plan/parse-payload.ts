import type { z } from 'zod'
import { DomainError } from '../errors.ts'

/**
 * Reads picked fields of a stored payload as its contract knows them; ids may be stored as such.
 * @throws DomainError INVALID for one that was not stored by this service
 */
export function parsePayload<S extends z.ZodType>(schema: S, payload: Readonly<Record<string, unknown>>): z.output<S> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(payload)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new DomainError('INVALID', issue ? `${issue.path.join('.')}: ${issue.message}` : 'Invalid payload')
}
