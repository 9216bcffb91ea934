import { ObjectId } from 'mongodb'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import type { CommentsDeps } from './deps.ts'
import { inThread } from './in-thread.ts'
import { LIKED_FIELDS, toLikes, withoutVoter } from './set-like.ts'

async function write(deps: CommentsDeps, { user: { _id: me }, socketId }: Actor, commentId: string) {
  const { comments, reports } = deps.db
  const _id = new ObjectId(commentId)
  const sentBy = createSentBy(deps, socketId)
  const reported = await deps.db.transaction(async (session) => {
    const report = await reports.findOneAndDelete({ commentId: _id, reporterId: me }, { session })
    const isOpen = report?.outcome === null
    const change = isOpen
      ? { $pull: { reportedBy: me }, $inc: { reportsCount: -1 } }
      : { $inc: { decidedReportsCount: -1 } }
    if (report) await comments.updateOne({ _id }, { ...change, $set: { sentBy } }, { session })
    // A comment that reports have hidden waits for an admin without them, too.
    const left = { _id, status: 'hidden', reportsCount: 0, heldAt: { $exists: false } } as const
    if (isOpen) await comments.updateOne(left, { $set: { heldAt: null } }, { session })
    return report
  })
  if (reported) deps.emit.reports.changed({ commentId })
  const liked = await comments.findOneAndUpdate({ _id, likedBy: me }, withoutVoter(me, sentBy), {
    returnDocument: 'after',
    projection: LIKED_FIELDS,
  })
  const changed = liked ?? reported
  if (changed) deps.commentCaches.dropPages(changed.gameId)
  await deps.failpoint('comment:written')
  return { result: undefined, event: liked && toLikes(liked) }
}

/** Takes back the actor's like and report of a comment, whatever its status. */
export const takeVotesBack = (deps: CommentsDeps, actor: Actor, { commentId }: { commentId: string }): Promise<void> =>
  inThread(deps, actor, { commentId, send: deps.emit.comments.likes }, () => write(deps, actor, commentId))
