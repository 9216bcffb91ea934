import type { ClientSession } from 'mongodb'
import { normalise } from '../../names/normalise-name.ts'
import type { RequestsDeps } from '../deps.ts'
import type { NewEntry } from '../plan/assert-no-duplicates.ts'

/** Tells the lock of a name from every lease. */
export const NAME_LOCK = /^name\//

/**
 * Locks the name of a new entry until the transaction ends: of two transactions that write the same lock one begins again,
 * and then finds the entry of the other.
 */
export async function lockName(
  { db }: Pick<RequestsDeps, 'db'>,
  { kind, fields: { name } }: NewEntry,
  { holder, session }: { holder: string; session: ClientSession },
): Promise<void> {
  const written = { $set: { holder }, $currentDate: { until: true } } as const
  await db.leases.updateOne({ _id: `name/${kind}/${normalise(name)}` }, written, { upsert: true, session })
}
