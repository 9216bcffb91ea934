import type { ClientSession } from 'mongodb'
import type { SessionUser } from '../../auth/session-user.ts'
import { APPROVAL_COMMIT_MS } from '../../concurrency/timeouts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import { DomainError } from '../../errors.ts'
import { normalise } from '../../names/normalise-name.ts'
import { recordStaffAction } from '../../staff/record-staff-action.ts'
import type { CopiedPlan } from '../copy/copy-images.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { notifyAuthor } from '../notify-author.ts'
import { splitByImages } from '../pick-fields.ts'
import { assertNoDuplicates, type NewEntry } from '../plan/assert-no-duplicates.ts'
import { REQUEST_FIELDS, type RequestRow, toStaffTarget } from '../to-wire.ts'
import { writeCharacter } from './write-character.ts'
import { type WrittenEntry, writeGame } from './write-game.ts'

/** Tells the lock of a name from every lease. */
export const NAME_LOCK = /^name\//

/**
 * Locks the name of a new entry until the transaction ends: of two transactions that write the same lock one begins again,
 * and then finds the entry of the other.
 */
async function lockName(
  { db }: Pick<RequestsDeps, 'db'>,
  { kind, fields: { name } }: NewEntry,
  { holder, session }: { holder: string; session: ClientSession },
): Promise<void> {
  const written = { $set: { holder }, $currentDate: { until: true } } as const
  await db.leases.updateOne({ _id: `name/${kind}/${normalise(name)}` }, written, { upsert: true, session })
}

type CommitDeps = Pick<RequestsDeps, 'db' | 'storage' | 'clock' | 'failpoint'>

interface CommitInput extends CopiedPlan {
  request: ContentRequestDocument & { claimedAt: Date }
  admin: SessionUser
  /** For the author. */
  reason: string | null
  payload: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

/** @throws DomainError CONFLICT when the claim is lost */
async function decide(
  { db }: CommitDeps,
  { request: { _id, claimedAt }, admin, reason, payload, failedLinks }: CommitInput,
  session: ClientSession,
): Promise<void> {
  const { appliedFields, failedFields } = splitByImages(payload, failedLinks)
  const { matchedCount } = await db.contentRequests.updateOne(
    { _id, status: 'pending', claimedAt },
    [
      {
        $set: {
          status: 'approved',
          appliedFields: { $literal: appliedFields },
          failedFields: { $literal: failedFields },
          ...(reason !== null && { reason: { $literal: reason } }),
          decidedAt: '$$NOW',
          decidedBy: admin._id,
          updatedAt: '$$NOW',
          settledClaim: claimedAt,
        },
      },
      { $unset: [...CLAIM_FIELDS, 'slot'] },
    ],
    { session },
  )
  if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
}

async function writeEntry(
  deps: CommitDeps,
  { entry, request }: CommitInput,
  session: ClientSession,
): Promise<WrittenEntry> {
  if (entry.newEntry !== null) {
    await lockName(deps, entry.newEntry, { holder: request._id.toHexString(), session })
    await deps.failpoint('approval:name-locked')
    // Outside of the snapshot: whoever held the name before has committed.
    await assertNoDuplicates(deps, entry.newEntry)
  }
  return entry.kind === 'game' ? await writeGame(deps, entry, session) : await writeCharacter(deps, entry, session)
}

async function recordResult(
  { db, storage }: CommitDeps,
  { request: { _id } }: CommitInput,
  { resultId, images, replacedImages }: WrittenEntry,
  session: ClientSession,
): Promise<RequestRow> {
  const toKeys = (urls: readonly string[]) => urls.flatMap((url) => storage.keyOf(url) ?? [])
  const replaced = toKeys(replacedImages).filter((key) => key.split('/')[1] === resultId.toHexString())
  const recorded = { $setUnion: [{ $ifNull: ['$pendingUploads', []] }, replaced] }
  const row = await db.contentRequests.findOneAndUpdate(
    { _id },
    [{ $set: { resultId, pendingUploads: { $setDifference: [recorded, toKeys(images)] } } }],
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
  const { request, admin, signal } = input
  const { kind, action } = request

  const committed = await db.transaction(
    async (session) => {
      // While the database is away the transaction is begun again and again.
      signal.throwIfAborted()
      await failpoint('approval:committing')
      await decide(deps, input, session)
      await failpoint('approval:decided')
      const written = await writeEntry(deps, input, session)
      await failpoint('approval:entry-written')
      const row = await recordResult(deps, input, written, session)
      const details = { kind, action, appliedFields: row.appliedFields ?? [], resultId: written.resultId.toHexString() }
      const target = toStaffTarget(request)
      await recordStaffAction(deps, { admin, action: 'request-approved', target, details }, { session })
      await failpoint('approval:staff-action-recorded')
      await notifyAuthor(deps, row, { status: 'approved', admin, session })
      await failpoint('approval:author-notified')
      return row
    },
    { timeoutMs: APPROVAL_COMMIT_MS },
  )
  await failpoint('approval:committed')
  return committed
}
