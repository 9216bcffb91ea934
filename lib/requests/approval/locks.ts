import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import { LOCK_MS, LOCK_POLL_MS } from '../../concurrency/timeouts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { acquireLease, type Lease } from '../../db/lease.ts'
import { DomainError } from '../../errors.ts'
import { normalise } from '../../names/normalise-name.ts'
import type { RequestsDeps } from '../deps.ts'
import type { ClaimedRequest } from './claim.ts'

/** The names and entries that no other approval works with until this one ends. Each lock is a lease in the database. */
export interface Locks {
  /** Waits until no other approval checks or creates an entry of this kind and normalised name. */
  lockName(name: string): Promise<void>
  /** Waits until no other approval links this entry. Lock entries in the order of their sources' names, before any name. */
  lockEntry(entry: { source: 'igdb' | 'vndb'; id: string }): Promise<void>
  /**
   * Prolongs all locks in a transaction, so that the next holder waits for its end.
   * @throws DomainError UNAVAILABLE when one was lost
   */
  assertHeld(session: ClientSession): Promise<void>
  release(): Promise<void>
}

/** Tells the lease of a lock from every other lease. */
export const LOCK_ID = /^(name|entry)\//

export function createLocks(
  { db, log, failpoint }: Pick<RequestsDeps, 'db' | 'log' | 'failpoint'>,
  { request, signal }: { request: ClaimedRequest; signal: AbortSignal },
): Locks {
  const holder = randomUUID()
  const held = new Map<string, Lease>()
  const ownLeases = () => [...held].map(([_id, { fencingToken }]) => ({ _id, holder, fencingToken }))

  async function lock(id: string): Promise<void> {
    await failpoint('approval:locking')
    while (!held.has(id)) {
      signal.throwIfAborted()
      const lease = await acquireLease(db.leases, { id, holder, lastsMs: LOCK_MS })
      if (lease === null) await sleep(LOCK_POLL_MS)
      else held.set(id, lease)
    }
    await failpoint('approval:locked')
  }

  return {
    lockName: (name) => lock(`name/${request.kind}/${normalise(name)}`),
    lockEntry: ({ source, id }) => lock(`entry/${source}/${id}`),
    async assertHeld(session) {
      for (const lease of ownLeases()) {
        const until = { $add: ['$$NOW', LOCK_MS] }
        const { matchedCount } = await db.leases.updateOne(lease, [{ $set: { until } }], { session })
        if (matchedCount === 0) throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
      }
    },
    async release() {
      await Promise.all([...held.values()].map((lease) => lease.release()))
      // A released lease has no holder, and one document for every name ever approved would stay.
      const deleted = ownLeases().map(({ _id, fencingToken }) => db.leases.deleteOne({ _id, fencingToken }))
      await Promise.all(deleted).catch((error: unknown) =>
        log.warn({ err: error }, 'lock of an approval could not be deleted, it expires'),
      )
      held.clear()
    },
  }
}
