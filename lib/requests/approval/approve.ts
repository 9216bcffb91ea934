import { ObjectId } from 'mongodb'
import type { SessionUser } from '../../auth/session-user.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../../contract/requests.ts'
import { isDatabaseUnreachable } from '../../db/is-database-unreachable.ts'
import { DomainError } from '../../errors.ts'
import { StorageError } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import { findNames } from '../find-names.ts'
import { pickFields } from '../pick-fields.ts'
import { planCharacter } from '../plan/plan-character.ts'
import { planGame } from '../plan/plan-game.ts'
import { type RequestRow, toAdminRequest } from '../to-wire.ts'
import { announceNewGame } from './announce-new-game.ts'
import { type ApprovalContext, createApprovalContext } from './approval-context.ts'
import { claim } from './claim.ts'
import { cleanUpInBackground, cleanUpPreviousAttempt } from './clean-up.ts'
import { commit } from './commit.ts'
import { rollBack } from './roll-back.ts'

interface ApproveInput {
  requestId: string
  admin: SessionUser
  choice: RequestDecisionBody
  /** Kept in `lastFailure`; the log of `deps` carries it. */
  httpRequestId: string
}

/**
 * Approves the picked fields of a pending request: claims it, plans the entry, copies the images, commits entry and
 * decision together, cleans up. A failure is rolled back, and the request is pending again.
 * @throws DomainError NOT_FOUND, INVALID, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY
 *   when a source that was needed gave nothing, UNAVAILABLE
 */
export async function approve(
  deps: RequestsDeps,
  { requestId, admin, choice, httpRequestId }: ApproveInput,
): Promise<RequestDecisionAnswer> {
  return await deps.approvalRunner.run(async (stopSignal) => {
    const claimed = await claim(deps, { requestId: new ObjectId(requestId), admin, fields: choice.fields }).catch(
      (error: unknown) => {
        report(deps, error)
        throw error
      },
    )
    const approval = createApprovalContext(deps, {
      request: claimed,
      admin,
      choice,
      httpRequestId,
      signal: stopSignal,
    })
    const committed = await carryOut(deps, approval).catch((error: unknown) => fail(deps, approval, error))
    await finish(deps, approval, committed)
    return {
      request: toAdminRequest(committed, await findNames(deps, [committed])),
      failedImages: sortAsProposed(approval),
      warnings: approval.warnings,
    }
  })
}

/** Logs and counts an approval that ends without a commit. */
function report({ metrics, log }: RequestsDeps, error: unknown): void {
  const isRefusal = error instanceof DomainError && error.code !== 'UNAVAILABLE'
  if (isRefusal) log.info({ reason: error.message }, 'approval refused')
  else log.warn({ err: error }, 'approval failed')
  metrics.approvals.inc({ result: isRefusal ? 'refused' : 'failed' })
}

async function carryOut(deps: RequestsDeps, approval: ApprovalContext): Promise<RequestRow> {
  const { request, choice, images, warnings } = approval
  try {
    const payload = pickFields(request, choice.fields)
    deps.log.info({ kind: request.kind, action: request.action, fields: Object.keys(payload) }, 'approval started')
    await cleanUpPreviousAttempt(deps, request)
    const plan = await (request.kind === 'game' ? planGame : planCharacter)(deps, approval, payload)
    await deps.failpoint('approval:planned')
    const write = await plan.copyImages()
    deps.log.info({ failedImages: images.failedLinks, warnings }, 'approval copied its images')
    await deps.failpoint('approval:images-copied')
    return await commit(deps, approval, { payload, write })
  } finally {
    await approval.end()
  }
}

async function finish(deps: RequestsDeps, { request, uploads }: ApprovalContext, committed: RequestRow): Promise<void> {
  const { resultId, appliedFields } = committed
  deps.log.info({ resultId, appliedFields }, 'approval committed')
  deps.metrics.approvals.inc({ result: 'approved' })
  await cleanUpInBackground(deps, { requestId: request._id, uncertainUploads: uploads.uncertain() })
  void announceNewGame(deps, committed)
}

/** The sentence that the admin is told, as the error handler words it. */
function toMessage(error: unknown): string {
  if (error instanceof DomainError) return error.message
  return isDatabaseUnreachable(error) ? MESSAGES.serviceUnavailable : 'Internal Server Error'
}

/** @returns the request where it was committed all the same. @throws the error that the admin is told */
async function fail(deps: RequestsDeps, approval: ApprovalContext, error: unknown): Promise<RequestRow> {
  const isStorage = error instanceof StorageError
  const told = isStorage ? new DomainError('UNAVAILABLE', MESSAGES.storageUnavailable) : error
  const message = toMessage(told)

  const committed = await rollBack(deps, approval, message).catch((reason: unknown) => {
    deps.log.error({ err: reason }, 'approval could not be rolled back, trying again')
    deps.approvalRunner.retry({ task: 'rolling back an approval', log: deps.log }, async () => {
      const foundCommitted = await rollBack(deps, approval, message)
      if (foundCommitted !== null) await finish(deps, approval, foundCommitted)
    })
    return null
  })
  if (committed !== null) return committed
  report(deps, error)
  throw told
}

/** Each failed link once, in the order of the payload. */
function sortAsProposed({ request, images }: ApprovalContext): string[] {
  const links = ['cover', 'screenshots', 'artworks', 'mugShot'].flatMap((field) => request.payload[field] ?? [])
  return [...new Set(images.failedLinks)].sort((a, b) => links.indexOf(a) - links.indexOf(b))
}
