import { ObjectId } from 'mongodb'
import type { SessionUser } from '../../auth/session-user.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../../contract/requests.ts'
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
}

/**
 * Approves the picked fields of a pending request: claims it, plans the entry, copies the images, commits entry and
 * decision together, cleans up. A failure is rolled back, and the request is pending again.
 * @throws DomainError NOT_FOUND, INVALID, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY
 *   when a source that was needed gave nothing, UNAVAILABLE
 */
export async function approve(
  deps: RequestsDeps,
  { requestId, admin, choice }: ApproveInput,
): Promise<RequestDecisionAnswer> {
  return await deps.approvalRunner.run(async (stopSignal) => {
    const claimed = await claim(deps, { requestId: new ObjectId(requestId), admin, fields: choice.fields })
    const approval = createApprovalContext(deps, { request: claimed, admin, choice, signal: stopSignal })
    const committed = await carryOut(deps, approval).catch((error: unknown) => fail(deps, approval, error))
    await finish(deps, approval, committed)
    return {
      request: toAdminRequest(committed, await findNames(deps, [committed])),
      failedImages: sortAsProposed(approval),
      warnings: approval.warnings,
    }
  })
}

async function carryOut(deps: RequestsDeps, approval: ApprovalContext): Promise<RequestRow> {
  const { request, choice, images, warnings, log } = approval
  try {
    const payload = pickFields(request, choice.fields)
    log.info({ fields: Object.keys(payload) }, 'an approval began')
    await cleanUpPreviousAttempt(deps, request)
    const plan = await (request.kind === 'game' ? planGame : planCharacter)(deps, approval, payload)
    await deps.failpoint('approval:planned')
    const write = await plan.copyImages()
    log.info({ failedImages: images.failedLinks, warnings }, 'an approval copied its images')
    await deps.failpoint('approval:images-copied')
    return await commit(deps, approval, { payload, write })
  } finally {
    await approval.end()
  }
}

async function finish(
  deps: RequestsDeps,
  { request, uploads, log }: ApprovalContext,
  committed: RequestRow,
): Promise<void> {
  const { resultId, appliedFields } = committed
  log.info({ resultId, appliedFields }, 'an approval was committed')
  deps.metrics.approvals.inc({ result: 'approved' })
  await cleanUpInBackground(deps, { requestId: request._id, uncertainUploads: uploads.uncertain() })
  void announceNewGame(deps, committed)
}

/** @returns the request where it was committed all the same. @throws the error that the admin is told */
async function fail(deps: RequestsDeps, approval: ApprovalContext, error: unknown): Promise<RequestRow> {
  const { request, log } = approval
  const isRefusal = error instanceof DomainError && error.code !== 'UNAVAILABLE'
  if (isRefusal) log.info({ reason: error.message }, 'an approval is refused')
  else log.warn({ err: error }, 'an approval failed and is rolled back')

  const committed = await rollBack(deps, approval).catch((reason: unknown) => {
    log.error({ err: reason }, 'an approval could not be rolled back yet')
    deps.approvalRunner.retry(`rolling back the approval of ${request._id}`, async () => {
      const foundCommitted = await rollBack(deps, approval)
      if (foundCommitted !== null) await finish(deps, approval, foundCommitted)
    })
    return null
  })
  if (committed !== null) return committed
  deps.metrics.approvals.inc({ result: isRefusal ? 'refused' : 'failed' })
  throw error instanceof StorageError ? new DomainError('UNAVAILABLE', MESSAGES.storageUnavailable) : error
}

/** Each failed link once, in the order of the payload. */
function sortAsProposed({ request, images }: ApprovalContext): string[] {
  const links = ['cover', 'screenshots', 'artworks', 'mugShot'].flatMap((field) => request.payload[field] ?? [])
  return [...new Set(images.failedLinks)].sort((a, b) => links.indexOf(a) - links.indexOf(b))
}
