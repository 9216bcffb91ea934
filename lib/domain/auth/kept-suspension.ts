import { createHash } from 'node:crypto'
import type { ClientSession } from 'mongodb'
import { type Suspension, suspensionAt } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'

export const hashAddress = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url')

/** Moves the suspension of a deleted account to the new account of its address. Ending it there ends it for good. */
export async function takeKeptSuspension(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  email: string,
  session: ClientSession,
): Promise<Suspension | null> {
  const filter = { addressHash: hashAddress(email), suspension: { $exists: true } }
  const options = { session, projection: { suspension: 1 }, sort: { at: -1 } } as const
  const change = { $unset: { suspension: true, addressHash: true } } as const
  const last = await db.deletedUsers.findOneAndUpdate(filter, change, options)
  return suspensionAt(clock(), last ?? {})
}
