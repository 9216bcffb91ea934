import { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { isIdentified, MESSAGES, type RequestDecisionAnswer, type RequestDecisionBody } from '#lib/contract/index'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import { isDatabaseUnreachable } from '#lib/infrastructure/db/is-database-unreachable'
import { mapImages } from '#lib/infrastructure/storage/image-fields'
import { type ObjectKey, StorageError } from '#lib/infrastructure/storage/storage'
import type { Actor } from '../../auth/actor.ts'
import { commit } from '../commit/commit.ts'
import { type CopiedPlan, copy } from '../copy/copy.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from '../live-claim.ts'
import { plan } from '../plan/plan.ts'
import { findNames, findRequest, REQUEST_FIELDS, type RequestRow, toAdminRequest } from '../to-wire.ts'
import { cleanUp, cleanUpInBackground } from './clean-up.ts'

interface ApproveInput {
  requestId: string
  choice: RequestDecisionBody
  /** The id of the HTTP request, stored in `lastFailure` and written to every log line. */
  httpRequestId: string
}

type ClaimedRequest = ContentRequestDocument & { claimedAt: Date }

interface Approval extends ApproveInput {
  actor: Actor
  request: ClaimedRequest
  payload: Record<string, unknown>
  /** Keys under which the approval may have stored objects. */
  uploads: ObjectKey[]
  signal: AbortSignal
}

const toRefusal = (message: string) => new DomainError('INVALID', message, { issues: [{ path: 'fields', message }] })

/**
 * Picks the part of a payload that is to be applied; all of it when no fields are named.
 * @throws DomainError INVALID when nothing is left, or a new entry would have neither a name nor a source id
 */
function pickFields(
  { action, payload }: Pick<ContentRequestDocument, 'action' | 'payload'>,
  fields: readonly string[] | undefined,
): Record<string, unknown> {
  const picked = Object.entries(payload).filter(([field]) => fields === undefined || fields.includes(field))
  if (picked.length === 0) throw toRefusal(MESSAGES.fieldsEmpty)
  const fieldsToApply = Object.fromEntries(picked)
  if (action === 'add' && !isIdentified(fieldsToApply)) throw toRefusal(MESSAGES.newEntryLosesName)
  return fieldsToApply
}

/**
 * Claims a pending request for one approval and reads it. An expired claim is taken over, with the uploads that its approval
 * may have left.
 * @throws DomainError NOT_FOUND, INVALID, CONFLICT when it is decided or another claim lives
 */
export async function claim(
  deps: Pick<RequestsDeps, 'db' | 'log' | 'failpoint' | 'approvalRunner'>,
  { user }: Actor,
  { requestId, fields }: { requestId: string; fields?: readonly string[] | undefined },
): Promise<ClaimedRequest> {
  const { db, failpoint, approvalRunner } = deps
  const claimId = new ObjectId()
  const found = await findRequest(deps, requestId)
  // Fields that cannot be applied are refused before the state of the request is.
  pickFields(found, fields)
  const { _id } = found

  try {
    await failpoint('approval:claiming')
    const claimed = await db.contentRequests.findOneAndUpdate(
      { _id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
      [{ $set: { claimedAt: '$$NOW', claimedBy: user._id, claimId } }, { $unset: 'lastFailure' }],
      { returnDocument: 'after' },
    )
    await failpoint('approval:claimed')
    if (claimed?.claimedAt) return { ...claimed, claimedAt: claimed.claimedAt }
  } catch (error) {
    // The claim may have been stored although its answer was lost.
    approvalRunner.retry({ task: 'releasing a claim', log: deps.log }, async () => {
      const claimed = { _id, status: 'pending', claimId } as const
      await db.contentRequests.updateOne(claimed, { $unset: CLAIM_FIELDS })
    })
    throw error
  }
  throw new DomainError('CONFLICT', MESSAGES.requestDecided)
}

/**
 * Ends an approval that failed: releases its claim, so that nothing can be committed under it any more, and deletes what
 * it stored.
 * @returns the request where the approval was committed all the same and only the answer was lost; then nothing is deleted
 */
export async function rollBack(
  deps: Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'failpoint'>,
  { request: { _id, claimedAt }, uploads, httpRequestId }: Pick<Approval, 'request' | 'uploads' | 'httpRequestId'>,
  message: string,
): Promise<RequestRow | null> {
  const { contentRequests } = deps.db
  await deps.failpoint('approval:rolling-back')
  // This write comes before any read: it waits for a commit that is under way.
  const claimed = { _id, status: 'pending', claimedAt } as const
  const { matchedCount } = await contentRequests.updateOne(claimed, {
    $set: { 'lastFailure.message': message, 'lastFailure.requestId': httpRequestId },
    $currentDate: { 'lastFailure.at': true },
    $unset: CLAIM_FIELDS,
  })
  if (matchedCount === 0) {
    const committed = await contentRequests.findOne<RequestRow>(
      { _id, status: 'approved', settledClaim: claimedAt },
      { projection: REQUEST_FIELDS },
    )
    if (committed !== null) return committed
  }
  await deps.failpoint('approval:claim-released')
  await cleanUpInBackground(deps, { requestId: _id, stored: uploads })
  return null
}

/**
 * Approves the picked fields of a pending request: claims it, plans the entry, copies the images, commits entry and
 * decision together, cleans up. A failure is rolled back, and the request is pending again.
 * @throws DomainError NOT_FOUND, INVALID, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY
 *   when a source that was needed gave nothing, UNAVAILABLE
 */
export async function approve(service: RequestsDeps, actor: Actor, input: ApproveInput) {
  const { requestId, choice, httpRequestId } = input
  const log = service.log.child({ requestId: httpRequestId, contentRequestId: requestId })
  const deps: RequestsDeps = { ...service, log }
  return await deps.approvalRunner.run(async (signal) => {
    const request = await claim(deps, actor, { requestId, fields: choice.fields }).catch((error: unknown) => {
      report(deps, error)
      throw error
    })
    const payload = mapImages(pickFields(request, choice.fields), deps.storage.addressOf)
    return await carryOut(deps, { ...input, actor, request, payload, uploads: [], signal })
  })
}

async function carryOut(deps: RequestsDeps, approval: Approval): Promise<RequestDecisionAnswer> {
  let copied: CopiedPlan | undefined
  let committed: RequestRow
  try {
    copied = await prepare(deps, approval)
    committed = await commit(deps, { ...approval, ...copied, reason: approval.choice.reason })
  } catch (error) {
    committed = await fail(deps, approval, error)
  }
  await finish(deps, approval, committed)
  return {
    request: toAdminRequest(deps, committed, await findNames(deps, [committed])),
    failedImages: [...new Set(copied?.failedLinks)],
    warnings: [...(copied?.entry.warnings ?? [])],
  }
}

async function prepare(deps: RequestsDeps, approval: Approval): Promise<CopiedPlan> {
  const { request, payload, choice, signal } = approval
  const { _id: requestId, kind, action, claimedAt, pendingUploads = [] } = request
  deps.log.info({ kind, action, fields: Object.keys(payload) }, 'approval started')
  if (pendingUploads.length > 0) await cleanUp(deps, { requestId, claimedAt })
  const planned = await plan(deps, { ...request, ...choice, payload, signal })
  await deps.failpoint('approval:planned')
  const copied = await copy(deps, planned, approval)
  deps.log.info({ failedImages: copied.failedLinks, warnings: copied.entry.warnings }, 'approval copied its images')
  await deps.failpoint('approval:images-copied')
  return copied
}

function report({ metrics, log }: RequestsDeps, error: unknown): void {
  const isRefusal = error instanceof DomainError && error.code !== 'UNAVAILABLE'
  if (isRefusal) log.info({ reason: error.message }, 'approval refused')
  else log.warn({ err: error }, 'approval failed')
  metrics.approvals.inc({ result: isRefusal ? 'refused' : 'failed' })
}

/** Submits the page of a game that an approval created by hand to search engines. Never rejects. */
async function announceNewGame(
  { db, config, indexNow, log }: RequestsDeps,
  { kind, action, resultId: gameId }: RequestRow,
): Promise<void> {
  if (kind !== 'game' || action !== 'add' || !gameId) return
  // A game with an IGDB link was created from its entry, or existed before.
  const filter = { _id: gameId, isCustom: true, 'igdb.gameId': null }
  try {
    const game = await db.games.findOne(filter, { projection: { slug: 1 } })
    if (game !== null) await indexNow.submit(`${config.frontUrl}/games/${game.slug}`)
  } catch (error) {
    log.warn({ err: error, gameId }, 'search engines could not be notified of a new game')
  }
}

/** Cleans up after a commit. Never rejects, so that each commit is counted and announced once. */
async function finish(deps: RequestsDeps, { request, uploads }: Approval, committed: RequestRow): Promise<void> {
  const { resultId, appliedFields } = committed
  deps.log.info({ resultId, appliedFields }, 'approval committed')
  deps.metrics.approvals.inc({ result: 'approved' })
  await cleanUpInBackground(deps, { requestId: request._id, stored: uploads })
  void announceNewGame(deps, committed)
}

function toMessage(error: unknown): string {
  if (error instanceof DomainError) return error.message
  return isDatabaseUnreachable(error) ? MESSAGES.serviceUnavailable : 'Internal Server Error'
}

/** Rolls back. @returns the request if it was committed after all. @throws the error that the admin reads */
async function fail(deps: RequestsDeps, approval: Approval, error: unknown): Promise<RequestRow> {
  const refusal = error instanceof StorageError ? new DomainError('UNAVAILABLE', MESSAGES.storageUnavailable) : error
  const message = toMessage(refusal)
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
  throw refusal
}
