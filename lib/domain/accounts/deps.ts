import type { Job } from '../../infrastructure/jobs/create-job.ts'
import type { AuthDeps } from '../auth/deps.ts'
import type { AnswerLost } from '../comments/change-each.ts'
import type { CommentsDeps } from '../comments/deps.ts'
import type { RequestsDeps } from '../requests/deps.ts'
import type { StaffDeps } from '../staff/deps.ts'

/** A whole account concerns nearly every room. */
export interface ErasureDeps extends CommentsDeps, RequestsDeps, StaffDeps {
  feed: AnswerLost
}

export interface AccountsDeps extends AuthDeps, ErasureDeps {
  accountErasure: Job
}
