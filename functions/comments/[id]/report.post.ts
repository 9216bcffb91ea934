import { reportComment } from '../../../lib/comments/report-comment.ts'
import { ReportState } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

/** Report a visible comment of somebody else to the admins; a repeat changes nothing, and nobody is told. */
export default defineFunction({
  auth: 'user',
  params: IdParams,
  response: ReportState,
  errors: ['NOT_FOUND', 'INVALID', 'RATE_LIMITED'],

  async handle({ params, user, deps }) {
    await deps.limits.commentChanges.consume(user._id.toHexString())
    await reportComment(deps, { commentId: params.id, reporter: user })

    return { isReported: true }
  },
})
