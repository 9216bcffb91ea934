import { ObjectId } from 'mongodb'
import { mapLimited } from '../../infrastructure/concurrency/map-limited.ts'
import { ERASURE_TIMEOUTS } from '../../infrastructure/concurrency/timeouts.ts'
import { OF_ACT, OF_AUTHOR } from '../../infrastructure/db/collections/comments.ts'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import { suspensionAt } from '../../infrastructure/db/collections/users.ts'
import { createJob, type Job } from '../../infrastructure/jobs/create-job.ts'
import { type AnswerLost, changeEach } from '../comments/change-each.ts'
import { type Act, changeByAct } from '../comments/change-status.ts'
import type { CommentsDeps } from '../comments/deps.ts'
import { addToUnread } from '../notifications/add-to-unread.ts'
import type { StaffDeps } from '../staff/deps.ts'

const { requestsMs } = ERASURE_TIMEOUTS

/** Users at once, and comments of one at once. */
const USERS = 4
const COMMENTS = 2

type Deps = CommentsDeps & StaffDeps & { feed: AnswerLost }

/**
 * Finds what an action still has to change. A suspended user's act includes what was posted before the suspension held. No
 * request that began before `settledAt` writes a comment of the act.
 */
async function readAct({ db, clock }: Deps, { _id, at, action, target, details }: StaffActionDocument) {
  if (action === 'comments-shown') {
    const actId = new ObjectId(String(details?.actId))
    const act: Act = { _id: actId, at, status: 'visible' }
    return { act, comments: { actId, status: 'hidden' as const }, hint: OF_ACT, settledAt: at.getTime() + requestsMs }
  }
  const userId = new ObjectId(target.id)
  const user = await db.users.findOne({ _id: userId }, { projection: { roles: 1, site: 1, suspension: 1 } })
  const suspension = suspensionAt(clock(), user ?? {})
  const since = new Date(typeof details?.since === 'string' ? details.since : 0)
  const createdAt = { $gte: since, ...(suspension === null && { $lte: at }) }
  const comments = { userId, status: 'visible' as const, createdAt }
  const lastAt = Math.max(at.getTime(), suspension?.at.getTime() ?? 0)
  const act: Act = { _id, at, status: 'hidden' }
  return { act, comments, hint: OF_AUTHOR, settledAt: lastAt + requestsMs }
}

/** Fills in the number of changed comments and notifies their author once, in the transaction that ends the action. */
async function finish(deps: Deps, action: StaffActionDocument, { _id: actId, status }: Act): Promise<void> {
  const { staffActions, comments } = deps.db
  await deps.db.transaction(async (session) => {
    const count = await comments.countDocuments({ actId, status }, { session, hint: OF_ACT })
    const { matchedCount } = await staffActions.updateOne(
      { _id: action._id, isPending: true },
      { $set: { 'details.count': count }, $unset: { isPending: true } },
      { session },
    )
    const userIds = matchedCount > 0 && count > 0 ? [new ObjectId(action.target.id)] : []
    const fields = { type: 'comment-moderated', count, facts: { $literal: { status, reason: null } } }
    await addToUnread(deps, { userIds, key: `act:${actId.toHexString()}`, fields }, session)
    await deps.failpoint('act:finished')
  })
}

/** Changes what is there, and ends the action once no request that began before it can be under way. */
async function carryOut(deps: Deps, action: StaffActionDocument, mayGoOn: () => boolean): Promise<void> {
  const { admin } = action
  if (admin === null) return
  const actor = { user: { _id: admin.userId, userName: admin.userName, isAdmin: true } }
  const startedAt = deps.clock().getTime()
  const { act, comments, hint, settledAt } = await readAct(deps, action)
  const found = await deps.db.comments.find(comments, { hint, projection: { _id: 1 } }).toArray()
  const change = ({ commentId }: { commentId: string }) => changeByAct(deps, actor, { commentId, act })
  await changeEach(deps, found, { limit: COMMENTS, mayGoOn, change })
  await deps.failpoint('act:changed')
  if (mayGoOn() && startedAt >= settledAt) await finish(deps, action, act)
}

const findPending = ({ db }: Deps, seen: readonly ObjectId[]) =>
  db.staffActions
    .find({ isPending: true, _id: { $nin: [...seen] } })
    .sort({ isPending: 1, at: 1 })
    .toArray()

/** Creates the job that hides and shows all comments of users. The actions of one user are carried out in their order. */
export const createCommentActsJob = (deps: Deps): Job =>
  createJob(deps, {
    ...ERASURE_TIMEOUTS,
    name: 'users/comment-acts',
    isDue: async () => (await deps.db.staffActions.findOne({ isPending: true })) !== null,
    async run({ lease, stopping }) {
      const mayGoOn = () => lease.isHeld() && !stopping.aborted
      const seen: ObjectId[] = []
      const failures: unknown[] = []
      while (mayGoOn()) {
        // Another instance may have begun more meanwhile.
        const pending = await findPending(deps, seen)
        if (pending.length === 0) break
        seen.push(...pending.map(({ _id }) => _id))
        const carryOutAll = async (userId: string) => {
          for (const action of pending) if (action.target.id === userId) await carryOut(deps, action, mayGoOn)
        }
        await mapLimited([...new Set(pending.map(({ target }) => target.id))], USERS, (userId) =>
          carryOutAll(userId).catch((error: unknown) => failures.push(error)),
        )
      }
      if (failures.length > 0) throw failures[0]
      return seen.length === 0 ? null : { acts: seen.length }
    },
  })
