import type { SessionUser } from '../auth/session-user.ts'
import type { StaffActionKind } from '../contract/staff.ts'
import { recordStaffActionAfter } from '../staff/record-staff-action.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'

/** A deed of an admin on a comment, for the staff log. */
export interface CommentAction {
  action: StaffActionKind
  user: SessionUser
  /** The comment as it was before. */
  before: CommentRow
}

/** Records a deed of an admin on a comment of somebody else. Called after the event: readers do not wait for the log. */
export async function recordCommentAction(
  deps: Pick<CommentsDeps, 'db' | 'clock' | 'log'>,
  done: CommentAction | null,
): Promise<void> {
  if (done === null || done.before.userId.equals(done.user._id)) return
  const { action, user, before } = done
  await recordStaffActionAfter(deps, {
    admin: user,
    action,
    target: { kind: 'comment', id: before._id.toHexString() },
    details: { gameId: before.gameId.toHexString(), reportsCount: before.reportsCount },
  })
}
