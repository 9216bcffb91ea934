import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentStatusChanged } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { StaffActionKind } from '../contract/staff.ts'
import type { Announced } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import { announceAgain } from './announce-again.ts'
import { dropDiscussion } from './caches.ts'
import { asRow, type CommentRow, rowProjection } from './comment-row.ts'
import { countStatusChange } from './count-status-change.ts'
import type { CommentsDeps } from './deps.ts'
import { findHome } from './find-home.ts'
import type { CommentAction } from './record-comment-action.ts'

interface SetCommentStatusInput {
  commentId: string
  status: 'visible' | 'hidden'
  admin: SessionUser
  /** The socket that is not told. */
  sender?: string | undefined
}

interface ChangedStatus {
  changed: CommentRow
  event: Announced<CommentStatusChanged> | null
  /** To be recorded after the event. */
  staffAction: CommentAction | null
}

const CLEARED = { reportsCount: 0, reportedBy: [] }
/** Another instance may change the status between the two looks at it, and back again. */
const ATTEMPTS = 5

type StatusAttempt = SetCommentStatusInput & { change: ObjectId }

async function writeStatus(
  deps: CommentsDeps,
  { commentId, status, admin, sender, change }: StatusAttempt,
): Promise<CommentRow | null> {
  const _id = new ObjectId(commentId)
  const { threadId, gameId } = await findHome(deps, commentId)
  const isReply = !threadId.equals(_id)
  const game = gameId.toHexString()
  // The count of the thread announces a reply.
  const said = isReply
    ? toSaid(deps, { event: null, payload: { gameId: game, threadId: threadId.toHexString() }, sender })
    : toSaid(deps, { event: 'comment:status', payload: { gameId: game, commentId, parentId: null, status }, sender })
  const write = () =>
    deps.db.comments.findOneAndUpdate(
      { _id, status: { $nin: ['deleted', status] } },
      {
        $set: { status, said, ...(isReply && { visibilityChange: change }), ...(status === 'visible' && CLEARED) },
        $inc: { rev: 1 },
      },
      { returnDocument: 'before', projection: { ...rowProjection(admin), rev: 1 }, maxTimeMS: MAX_TIME_MS },
    )
  return asRow(await deps.feed.lostAnswers.guard(write, () => announceAgain(deps, 'comment:status', _id, change)))
}

/** Reads a comment that has the status already; showing it again clears its reports. */
async function keepStatus(
  { db }: CommentsDeps,
  { commentId, status, admin }: SetCommentStatusInput,
): Promise<CommentRow | null> {
  const filter = { _id: new ObjectId(commentId), status }
  const projection = rowProjection(admin)
  if (status === 'hidden') return await db.comments.findOne<CommentRow>(filter, { projection, maxTimeMS: MAX_TIME_MS })
  return asRow(
    await db.comments.findOneAndUpdate(
      filter,
      { $set: CLEARED },
      { returnDocument: 'before', projection, maxTimeMS: MAX_TIME_MS },
    ),
  )
}

async function findBefore(deps: CommentsDeps, input: StatusAttempt): Promise<CommentRow> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = (await writeStatus(deps, input)) ?? (await keepStatus(deps, input))
    if (before !== null) return before
    const filter = { _id: new ObjectId(input.commentId), status: { $ne: 'deleted' as const } }
    if ((await deps.db.comments.findOne(filter, { projection: { _id: 1 } })) === null) break
  }
  throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
}

/** The change as the staff log calls it; null where nothing changed. */
function toAction(before: CommentRow, status: 'visible' | 'hidden'): StaffActionKind | null {
  if (before.status !== status) return status === 'visible' ? 'comment-shown' : 'comment-hidden'
  return status === 'visible' && before.reportsCount > 0 ? 'reports-cleared' : null
}

/**
 * Hides a comment or shows it again; showing it, even again, clears its reports. `event` is null when the status was
 * that already.
 * @throws DomainError NOT_FOUND
 */
export async function setCommentStatus(deps: CommentsDeps, input: SetCommentStatusInput): Promise<ChangedStatus> {
  const { status, sender } = input
  const change = new ObjectId()
  const before = await findBefore(deps, { ...input, change })
  try {
    const event = before.status === status ? null : await countStatusChange(deps, { before, status, change, sender })
    await deps.failpoint('comment:written')
    const action = toAction(before, status)
    return {
      changed: { ...before, status, ...(status === 'visible' && { reportsCount: 0, isReported: false }) },
      event,
      staffAction: action && { action, user: input.admin, before },
    }
  } finally {
    dropDiscussion(deps, before.gameId)
  }
}
