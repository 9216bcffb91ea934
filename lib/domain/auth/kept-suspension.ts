import { createHash } from 'node:crypto'
import type { ClientSession } from 'mongodb'
import { type Suspension, suspensionAt } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'

export const hashAddress = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url')

/** Finds the suspension of an earlier account of an e-mail address that was deleted before the suspension ended. */
export async function findKeptSuspension(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  email: string,
  session: ClientSession,
): Promise<Suspension | null> {
  const filter = { addressHash: hashAddress(email), suspension: { $exists: true } }
  const last = await db.deletedUsers.findOne(filter, { session, projection: { suspension: 1 }, sort: { at: -1 } })
  return suspensionAt(clock(), last ?? {})
}
