import type { ClientSession } from 'mongodb'
import { keyedHash } from '../../base/system/keyed-hash.ts'
import { type Suspension, suspensionAt } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'

/** Hashes the address of a closed account with the key of this installation: the database alone does not tell who it was. */
export const hashAddress = ({ jwtSecret }: Pick<AuthDeps, 'jwtSecret'>, email: string) =>
  keyedHash(jwtSecret, 'suspended e-mail', email.toLowerCase())

/** Moves the suspension of a deleted account to the new account of its address. Ending it there ends it for good. */
export async function takeKeptSuspension(
  deps: Pick<AuthDeps, 'clock' | 'db' | 'jwtSecret'>,
  email: string,
  session: ClientSession,
): Promise<Suspension | null> {
  const filter = { addressHash: hashAddress(deps, email), suspension: { $exists: true } }
  const options = { session, projection: { suspension: 1 }, sort: { at: -1 } } as const
  const change = { $unset: { suspension: true, addressHash: true } } as const
  const last = await deps.db.deletedUsers.findOneAndUpdate(filter, change, options)
  return suspensionAt(deps.clock(), last ?? {})
}
