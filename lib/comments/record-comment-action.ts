import type { SessionUser } from '../auth/session-user.ts'
import type { StaffActionKind } from '../contract/staff.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'

interface RecordCommentActionInput {
  action: StaffActionKind
  user: SessionUser
  /** The comment as it was before. */
  before: CommentRow
}

/** Records what an admin did to a comment of somebody else. */
export async function recordCommentAction(
  deps: Pick<CommentsDeps, 'db' | 'clock' | 'log'>,
  { action, user, before }: RecordCommentActionInput,
): Promise<void> {
  if (before.userId.equals(user._id)) return
  await recordStaffAction(deps, {
    admin: user,
    action,
    target: { kind: 'comment', id: before._id.toHexString() },
    details: { gameId: before.gameId.toHexString(), reportsCount: before.reportsCount },
  })
}
