import { MESSAGES } from '../../contract/messages.ts'
import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import { DomainError } from '../../errors.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'

/** The keys under which an approval stores objects, each recorded on its request before anything is stored. */
export interface UploadsJournal {
  /** Every key of this approval, also one whose record never arrived. */
  readonly keys: readonly ObjectKey[]
  /** @throws DomainError CONFLICT when the claim is lost; then nothing must be stored */
  record(key: ObjectKey): Promise<void>
  /** The storage has answered that the object is there. */
  confirm(key: ObjectKey): void
  /** Keys under which the storage may have stored an object or may still do so; those of an earlier attempt included. */
  uncertain(): string[]
}

export function createUploadsJournal(
  { db, failpoint }: Pick<RequestsDeps, 'db' | 'failpoint'>,
  { _id, claimedAt, pendingUploads: earlier = [] }: ContentRequestDocument & { claimedAt: Date },
): UploadsJournal {
  const keys: ObjectKey[] = []
  const confirmed = new Set<ObjectKey>()

  return {
    keys,
    async record(key) {
      keys.push(key)
      await failpoint('approval:recording-upload')
      const { matchedCount } = await db.contentRequests.updateOne(
        { _id, status: 'pending', claimedAt },
        { $addToSet: { pendingUploads: key } },
      )
      await failpoint('approval:upload-recorded')
      if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
    },
    confirm: (key) => void confirmed.add(key),
    uncertain: () => [...earlier, ...keys.filter((key) => !confirmed.has(key))],
  }
}
