import { ObjectId } from 'mongodb'
import type { SessionUser } from '../../auth/session-user.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../../contract/requests.ts'
import { DomainError } from '../../errors.ts'
import { StorageError } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import { findNames } from '../find-names.ts'
import { findRequest } from '../find-request.ts'
import { pickFields } from '../pick-fields.ts'
import { planCharacter } from '../plan/plan-character.ts'
import { planGame } from '../plan/plan-game.ts'
import { toAdminRequest } from '../to-wire.ts'
import type { PlannedWrite, WrittenEntry } from './approval-context.ts'
import { type ClaimedRequest, claim } from './claim.ts'
import { cleanUpInBackground } from './clean-up-in-background.ts'
import { createApprovalContext } from './create-approval-context.ts'
import { deleteOrphanedUploads } from './delete-orphaned-uploads.ts'
import { rollBack } from './roll-back.ts'
import { settle } from './settle.ts'

interface Approving {
  requestId: string
  admin: SessionUser
  choice: RequestDecisionBody
}

interface Carrying extends Omit<Approving, 'requestId'> {
  request: ClaimedRequest
  /** What was picked of it. */
  payload: Record<string, unknown>
  signal: AbortSignal
}

type Carried = Pick<RequestDecisionAnswer, 'failedImages' | 'warnings'>

/** What a person reads where an image could not be stored. */
const refusalOf = (error: unknown): unknown =>
  error instanceof StorageError ? new DomainError('UNAVAILABLE', MESSAGES.storageUnavailable) : error

/** Whether the admin is to think again, rather than to try again. */
const isRefusal = (error: unknown) => error instanceof DomainError && error.code !== 'UNAVAILABLE'

/** Each failed link once, in the order of the payload. */
function inOrderOf(payload: Record<string, unknown>, failedImages: readonly string[]): string[] {
  const links = ['cover', 'screenshots', 'artworks', 'mugShot'].flatMap((field) => payload[field] ?? [])
  return [...new Set(failedImages)].sort((a, b) => links.indexOf(a) - links.indexOf(b))
}

/** What an approval that was killed left; where that cannot be deleted now, its notes stay until it can. */
async function cleanUpPreviousAttempt(
  deps: RequestsDeps,
  { _id: requestId, claimedAt, work }: ClaimedRequest,
): Promise<void> {
  if (!work?.length) return
  await deleteOrphanedUploads(deps, { requestId, claimedAt, uncertainUploads: work }).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    deps.log.warn({ err: error, requestId }, 'what an earlier approval left could not be cleared yet')
  })
}

async function carryOut(deps: RequestsDeps, { request, payload, admin, choice, signal }: Carrying): Promise<Carried> {
  const { _id: requestId, kind, action } = request
  const log = deps.log.child({ requestId: requestId.toHexString(), kind, action })
  const { lockSync, force, reason } = choice
  const appliedFields = Object.keys(payload)
  const running = createApprovalContext(deps, { request, payload, lockSync, force, signal })
  const { approval, stored, held, end } = running
  const { failedImages, warnings } = approval
  // With what an earlier approval left, which may have been killed a moment ago.
  const uncertainUploads = () => [...(request.work ?? []), ...running.uncertainUploads()]
  let plan: PlannedWrite | undefined
  let entry: WrittenEntry | undefined

  async function finish(): Promise<void> {
    log.info({ resultId: entry?.resultId, appliedFields, failedImages }, 'an approval was settled')
    deps.metrics.approvals.inc({ result: 'approved' })
    await cleanUpInBackground(deps, { requestId, uncertainUploads: uncertainUploads() })
    if (entry) plan?.afterwards?.(entry)
  }

  /** @returns whether it was settled all the same */
  async function undo(error: unknown): Promise<boolean> {
    if (isRefusal(error)) log.info({ reason: String(error) }, 'an approval is refused')
    else log.warn({ err: error }, 'an approval failed and is rolled back')
    try {
      return await rollBack(deps, { request, stored, uncertainUploads: uncertainUploads() })
    } catch (reason) {
      log.error({ err: reason }, 'an approval could not be rolled back yet')
      deps.approvalRunner.tryAgain(`rolling back the approval of ${requestId}`, async () => {
        if (await rollBack(deps, { request, stored, uncertainUploads: uncertainUploads() })) await finish()
      })
      return false
    }
  }

  try {
    log.info({ fields: appliedFields }, 'an approval began')
    await cleanUpPreviousAttempt(deps, request)
    const planned = await (kind === 'game' ? planGame(deps, approval) : planCharacter(deps, approval))
    plan = {
      ...planned,
      async write(session) {
        entry = await planned.write(session)
        return entry
      },
    }
    log.info({ images: stored.length, failedImages, warnings }, 'an approval is about to be settled')
    await settle(deps, { request, admin, appliedFields, reason, plan, stored, held, signal })
    await end()
  } catch (error) {
    await end()
    if (!(await undo(error))) {
      deps.metrics.approvals.inc({ result: isRefusal(error) ? 'refused' : 'failed' })
      throw refusalOf(error)
    }
  }
  await finish()
  return { failedImages: inOrderOf(payload, failedImages), warnings }
}

/**
 * Approves the picked fields of a pending request: claims it, reads the sources, copies the images, then writes the entry
 * and settles the request together. Whatever fails is rolled back, and the request is pending again.
 * @throws DomainError NOT_FOUND, INVALID, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY when a source
 * that was needed gave nothing, UNAVAILABLE
 */
export async function approve(
  deps: RequestsDeps,
  { requestId, admin, choice }: Approving,
): Promise<RequestDecisionAnswer> {
  const _id = new ObjectId(requestId)
  const found = await deps.db.contentRequests.findOne({ _id }, { projection: { action: 1, payload: 1 } })
  if (found === null) throw new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  const payload = pickFields(found, choice.fields)

  const carried = await deps.approvalRunner.run(async (signal) => {
    const request = await claim(deps, { requestId: _id, admin })
    return carryOut(deps, { request, payload, admin, choice, signal })
  })
  const row = await findRequest(deps, { requestId })
  return { request: toAdminRequest(row, await findNames(deps, [row])), ...carried }
}
