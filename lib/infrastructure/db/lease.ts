import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, Collection } from 'mongodb'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { LeaseDocument } from './collections/leases.ts'
import { isDuplicateKey } from './duplicate-key.ts'

export interface Lease {
  /** True while the lease is surely held, by the local clock since the last renewal. */
  isHeld(): boolean
  lost: AbortSignal
  /** Prolongs it in a transaction, which fails once another holder has the lease; a read would not fail. @returns false when it is taken */
  prolong(session: ClientSession): Promise<boolean>
  /** Gives it back, so that another holder can take it at once. While the database is unreachable it expires by itself. */
  release(): Promise<void>
}

interface LeaseOptions {
  /** Names the work. */
  id: string
  lastsMs: number
}

const RENEWALS = 3
const RETRY_MS = 200
/** A lease that is not released in time expires by itself. */
const RELEASE_TIMEOUT_MS = 1_000

/** Ends all leases, so that no start waits for those of a killed process. No other process may use the database. */
export async function endLeases(leases: Collection<LeaseDocument>): Promise<void> {
  await leases.updateMany({}, [{ $set: { until: '$$NOW' } }, { $unset: 'holder' }])
}

/** Takes a lease by the database's clock and prolongs it until it is released. @returns null while another holder has it */
export async function acquireLease(
  leases: Collection<LeaseDocument>,
  { id, lastsMs }: LeaseOptions,
): Promise<Lease | null> {
  const held = { _id: id, holder: randomUUID() }
  const until = { $add: ['$$NOW', lastsMs] }
  await leases
    .updateOne({ _id: id }, { $setOnInsert: { until: new Date(0) } }, { upsert: true })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
  // Read before the command, so that the local clock never sees a later end than the database.
  let prolongedAt = performance.now()
  const { matchedCount: taken } = await leases.updateOne({ _id: id, $expr: { $lte: ['$until', '$$NOW'] } }, [
    { $set: { holder: held.holder, until } },
  ])
  if (taken === 0) return null

  const lost = new AbortController()
  let isReleased = false
  const isHeld = () => !isReleased && !lost.signal.aborted && performance.now() - prolongedAt < lastsMs

  async function prolong(session?: ClientSession): Promise<boolean> {
    const { matchedCount } = await leases.updateOne(held, [{ $set: { until } }], { ...(session && { session }) })
    if (matchedCount === 0) lost.abort(new Error('the lease was taken by another holder'))
    return matchedCount > 0
  }
  const renewals = setInterval(async () => {
    if (!isHeld()) return lost.abort(new Error('the lease ran out'))
    const requestedAt = performance.now()
    // Nobody else can take the lease during an outage of the database.
    if (await prolong().catch(() => false)) prolongedAt = requestedAt
  }, lastsMs / RENEWALS)
  lost.signal.addEventListener('abort', () => clearInterval(renewals), { once: true })

  return {
    isHeld,
    lost: lost.signal,
    prolong,
    async release() {
      isReleased = true
      clearInterval(renewals)
      // Removes the holder, so that a late prolongation finds nothing.
      const released = leases.updateOne(held, [{ $set: { until: '$$NOW' } }, { $unset: 'holder' }])
      await withTimeout(RELEASE_TIMEOUT_MS, released).catch(() => undefined)
    },
  }
}

/** Runs work under a lease, as soon as no other holder has it. */
export async function withLease(
  leases: Collection<LeaseDocument>,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<void>,
): Promise<void> {
  let lease = await acquireLease(leases, options)
  while (lease === null) {
    await sleep(RETRY_MS)
    lease = await acquireLease(leases, options)
  }
  try {
    await work(lease)
  } finally {
    await lease.release()
  }
}
