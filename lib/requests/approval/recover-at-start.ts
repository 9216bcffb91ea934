import { mapLimited } from '../../concurrency/map-limited.ts'
import { CLAIM_TTL_MS } from '../../contract/limits.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { type ClearDeps, cleanUpInBackground } from './clean-up-in-background.ts'
import { HELD_ID } from './create-approval-context.ts'

interface Place {
  /** Nobody else can be at work on this database: claims of earlier runs are given back. */
  isAlone: boolean
}

const AT_ONCE = 4

/**
 * Clears at a start what killed approvals left: objects that nothing refers to, and, where nobody else can be at work,
 * their claims and what they held. The objects are deleted after it has resolved: a storage that does not answer must not
 * hold up the start.
 */
export async function recoverAtStart(deps: ClearDeps, { isAlone }: Place): Promise<void> {
  const { contentRequests, leases } = deps.db
  if (isAlone) {
    await contentRequests.updateMany({ status: 'pending', claimedAt: { $ne: null } }, [{ $unset: [...CLAIM_FIELDS] }])
  }
  const isForgotten = { $expr: { $lt: ['$until', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] } }
  await leases.deleteMany({ _id: HELD_ID, ...(!isAlone && isForgotten) })
  // Under a claim they may belong to an approval that runs elsewhere; whoever takes it over clears them.
  const left = await contentRequests.find({ work: { $gt: '' }, claimedAt: null }, { projection: { work: 1 } }).toArray()
  void mapLimited(left, AT_ONCE, ({ _id, work }) =>
    cleanUpInBackground(deps, { requestId: _id, uncertainUploads: work ?? [] }),
  )
}
