import type { Suspension } from '../../infrastructure/db/collections/users.ts'

const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length

/** Describes a suspension to its user, with the minute of its end. */
export function describeSuspension({ until, reason }: Pick<Suspension, 'until' | 'reason'>): string {
  const end = until && `${until.toISOString().slice(0, MINUTE_LENGTH).replace('T', ' ')} UTC`
  return `You are suspended ${end === null ? 'for good' : `until ${end}`}: ${reason}`
}
