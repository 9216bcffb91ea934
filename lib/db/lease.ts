import type { Collection } from 'mongodb'
import { LEASE_RELEASE_TIMEOUT_MS } from '../concurrency/timeouts.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { LeaseDocument } from './collections/leases.ts'
import { isDuplicateKey } from './duplicate-key.ts'

export interface Lease {
  /** Greater than the token of every earlier holder. */
  fencingToken: number
  /** Whether it is surely still held, judged by this process's own clock from the last time it was prolonged. */
  isHeld(): boolean
  /** Aborts as soon as the lease is known to be lost. */
  lost: AbortSignal
  /** Gives it back, for the next one to take at once. Where the database cannot be reached, it runs out by itself. */
  release(): Promise<void>
}

interface AcquireLeaseInput {
  id: string
  /** Names this holder among all processes. */
  holder: string
  /** How long it lasts unless it is prolonged. */
  lastsMs: number
}

/** How often it is prolonged while it lasts. */
const RENEWALS = 3

/** Ends the leases of all who held one, so that nobody waits for a killed process. Only where nobody else can be at work. */
export async function endLeases(leases: Collection<LeaseDocument>): Promise<void> {
  await leases.updateMany({}, [{ $set: { until: '$$NOW' } }, { $unset: 'holder' }])
}

/** Takes a lease by the database's clock and prolongs it until it is released; null while somebody else holds it. */
export async function acquireLease(
  leases: Collection<LeaseDocument>,
  { id, holder, lastsMs }: AcquireLeaseInput,
): Promise<Lease | null> {
  const until = { $add: ['$$NOW', lastsMs] }
  // The clock keeps it above the tokens of a lease that has been deleted since; `fence` is the number of release 1.0.
  const nextToken = { $max: [{ $add: ['$fencingToken', 1] }, { $add: ['$fence', 1] }, { $toLong: '$$NOW' }] }
  await leases
    .updateOne({ _id: id }, { $setOnInsert: { until: new Date(0), fencingToken: 0 } }, { upsert: true })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
  // Before the database sets the end: this clock must never see it later than that one.
  let prolongedAt = performance.now()
  const taken = await leases.findOneAndUpdate(
    { _id: id, $expr: { $lte: ['$until', '$$NOW'] } },
    [{ $set: { holder: { $literal: holder }, fencingToken: nextToken, until } }, { $unset: 'fence' }],
    { returnDocument: 'after' },
  )
  if (taken === null) return null

  const { fencingToken } = taken
  const own = { _id: id, holder, fencingToken }
  const lost = new AbortController()
  let isReleased = false
  const isHeld = () => !isReleased && !lost.signal.aborted && performance.now() - prolongedAt < lastsMs

  async function prolong(): Promise<void> {
    const askedAt = performance.now()
    const { matchedCount } = await leases.updateOne(own, [{ $set: { until } }])
    if (matchedCount === 0) lost.abort(new Error('the lease was taken by another holder'))
    else prolongedAt = Math.max(prolongedAt, askedAt)
  }
  const renewals = setInterval(() => {
    if (!isHeld()) lost.abort(new Error('the lease ran out'))
    // While the database is away nobody else can take it either; writes are checked against the fencing token.
    else prolong().catch(() => undefined)
  }, lastsMs / RENEWALS)
  lost.signal.addEventListener('abort', () => clearInterval(renewals), { once: true })

  return {
    fencingToken,
    isHeld,
    lost: lost.signal,
    async release() {
      isReleased = true
      clearInterval(renewals)
      // Without a holder, so that a prolongation that is still on its way finds nothing.
      const released = leases.updateOne(own, [{ $set: { until: '$$NOW' } }, { $unset: 'holder' }])
      await withTimeout(LEASE_RELEASE_TIMEOUT_MS, released).catch(() => undefined)
    },
  }
}
