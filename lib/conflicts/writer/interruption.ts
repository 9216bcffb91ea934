import { isDatabaseUnreachable } from '../../db/is-database-unreachable.ts'
import { DomainError } from '../../errors.ts'

/** Whether an error says nothing about the decision that met it, which is then to be applied another time. */
export const isInterruption = (error: unknown): boolean =>
  isDatabaseUnreachable(error) || (error instanceof DomainError && error.code === 'UNAVAILABLE')
