import { randomUUID } from 'node:crypto'
import { type Checks, fail, ok } from '../../domain/operations/run-checks.ts'
import type { Database } from '../../infrastructure/db/connect.ts'

const [TIMEOUT_MS, AWAIT_MS] = [5_000, 500]

/** Creates the check that a change reaches whoever follows the database. It writes a lease of its own and takes it away. */
export const createStreamChecks = ({ raw, leases }: Pick<Database, 'raw' | 'leases'>): Checks => ({
  async 'change stream'() {
    const _id = `doctor/${randomUUID()}`
    const pipeline = [{ $match: { 'documentKey._id': _id } }]
    const stream = raw.collection(leases.collectionName).watch(pipeline, { maxAwaitTimeMS: AWAIT_MS })
    try {
      await stream.tryNext()
      await leases.updateOne({ _id }, { $set: { until: new Date(0) } }, { upsert: true })
      const deadline = performance.now() + TIMEOUT_MS
      while (performance.now() < deadline) if ((await stream.tryNext()) !== null) return ok('a change arrives')
      return fail('no change arrives: see whether most members of the set are alive')
    } finally {
      await stream.close()
      await leases.deleteOne({ _id })
    }
  },
})
