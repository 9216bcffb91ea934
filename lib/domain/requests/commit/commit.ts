import type { ClientSession } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { APPROVAL_COMMIT_MS } from '#lib/infrastructure/concurrency/timeouts'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import { IMAGE_FIELDS } from '#lib/infrastructure/storage/image-fields'
import { isObjectKey } from '#lib/infrastructure/storage/storage'
import type { Actor } from '../../auth/actor.ts'
import { normalise } from '../../names/normalise-name.ts'
import { recordStaffAction } from '../../staff/record-staff-action.ts'
import { assertNoDuplicates } from '../assert-no-duplicates.ts'
import type { CopiedPlan } from '../copy/copy.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { notifyAuthor } from '../notify-author.ts'
import { REQUEST_FIELDS, type RequestRow, toStaffTarget } from '../to-wire.ts'
import { type WrittenEntry, writeCharacter, writeGame } from './write-game.ts'

/** Matches the ids of name locks, which no lease has. */
export const NAME_LOCK = /^name\//

type CommitDeps = Pick<RequestsDeps, 'db' | 'clock' | 'failpoint'>

interface CommitInput extends CopiedPlan {
  request: ContentRequestDocument & { claimedAt: Date }
  actor: Actor
  reason: string | null
  payload: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

/** Splits fields by result: failed if any image could not be copied, applied unless dropped or every image failed. */
function splitByResult(
  payload: Readonly<Record<string, unknown>>,
  { failedLinks, droppedFields }: { failedLinks: readonly string[]; droppedFields: readonly string[] },
) {
  const failed = new Set<unknown>(failedLinks)
  const fields = Object.keys(payload).filter((field) => !droppedFields.includes(field))
  const listLinks = (field: string) => (IMAGE_FIELDS.includes(field) ? [payload[field]].flat() : [])
  const isFailed = (field: string) => listLinks(field).some((link) => failed.has(link))
  const isCopied = (field: string) => listLinks(field).some((link) => !failed.has(link))
  return {
    appliedFields: fields.filter((field) => isCopied(field) || !isFailed(field)),
    failedFields: fields.filter(isFailed),
  }
}

/**
 * Fences the transaction by the claim, before anything else: a transaction that was committed without an answer finds the
 * claim settled when it begins again, not its own entry as a duplicate.
 * @throws DomainError CONFLICT when the claim is lost
 */
async function decide(
  { db }: CommitDeps,
  { request: { _id, claimedAt }, actor, reason, payload, failedLinks, entry }: CommitInput,
  session: ClientSession,
): Promise<void> {
  const { matchedCount } = await db.contentRequests.updateOne(
    { _id, status: 'pending', claimedAt },
    {
      $set: {
        status: 'approved',
        ...splitByResult(payload, { failedLinks, droppedFields: entry.droppedFields }),
        ...(reason !== null && { reason }),
        decidedBy: actor.user._id,
        settledClaim: claimedAt,
      },
      $currentDate: { decidedAt: true, updatedAt: true },
      $unset: { slot: true, ...CLAIM_FIELDS },
    },
    { session },
  )
  if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
}

async function writeEntry(deps: CommitDeps, { entry }: CommitInput, session: ClientSession): Promise<WrittenEntry> {
  const { newEntry } = entry
  if (newEntry !== null) {
    // Two transactions that write one lock conflict: one begins again and then finds the entry of the other.
    const _id = `name/${newEntry.kind}/${normalise(newEntry.fields.name)}`
    await deps.db.leases.updateOne({ _id }, { $currentDate: { until: true } }, { upsert: true, session })
    await deps.failpoint('approval:name-locked')
    // The search runs outside the snapshot, because the previous holder of the lock has committed.
    await assertNoDuplicates(deps, newEntry)
  }
  return entry.kind === 'game' ? await writeGame(deps, entry, session) : await writeCharacter(deps, entry, session)
}

async function recordResult(
  { db }: CommitDeps,
  { request: { _id } }: CommitInput,
  { resultId, images, replacedImages }: WrittenEntry,
  session: ClientSession,
): Promise<RequestRow> {
  const replaced = replacedImages.filter(isObjectKey).filter((key) => key.split('/')[1] === resultId.toHexString())
  const recorded = { $setUnion: [{ $ifNull: ['$pendingUploads', []] }, replaced] }
  const row = await db.contentRequests.findOneAndUpdate(
    { _id },
    [{ $set: { resultId, pendingUploads: { $setDifference: [recorded, images.filter(isObjectKey)] } } }],
    { session, returnDocument: 'after', projection: REQUEST_FIELDS },
  )
  if (row === null) throw new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  return row
}

/**
 * Approves a request, writes its entry and records the staff action in one transaction that begins with the claim: a lost
 * claim writes nothing.
 * @throws DomainError CONFLICT when the claim is lost or a new entry may exist by now, NOT_FOUND when the target is gone, the
 * signal's reason; after an error of the database it may have been committed all the same
 */
export async function commit(deps: CommitDeps, input: CommitInput): Promise<RequestRow> {
  const { db, failpoint } = deps
  const { request, actor, signal } = input
  const { kind, action } = request

  const committed = await db.transaction(
    async (session) => {
      // The transaction begins again for as long as the database is unreachable.
      signal.throwIfAborted()
      await failpoint('approval:committing')
      await decide(deps, input, session)
      await failpoint('approval:decided')
      const written = await writeEntry(deps, input, session)
      await failpoint('approval:entry-written')
      const row = await recordResult(deps, input, written, session)
      const details = { kind, action, appliedFields: row.appliedFields ?? [], resultId: written.resultId.toHexString() }
      const target = toStaffTarget(request)
      await recordStaffAction(deps, { actor: actor.user, action: 'request-approved', target, details }, { session })
      await failpoint('approval:staff-action-recorded')
      await notifyAuthor(deps, row, { status: 'approved', decidedBy: actor.user._id, session })
      await failpoint('approval:author-notified')
      return row
    },
    { timeoutMs: APPROVAL_COMMIT_MS },
  )
  await failpoint('approval:committed')
  return committed
}
