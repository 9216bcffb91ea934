import type { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { APPROVAL_IMAGES_TIMEOUT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { ImageError, type Images } from '#lib/infrastructure/images/images'
import type { Folder, ObjectKey } from '#lib/infrastructure/storage/storage'
import { copyMugShots, type PreparedCharacters } from '../../catalogue/characters/copy-mug-shots.ts'
import {
  copyEntryImages,
  copyLinkedImages,
  type ImageField,
  type StoredImages,
} from '../../catalogue/games/copy-entry-images.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import type { RequestsDeps } from '../deps.ts'
import { imagesNotCopied } from '../link-warnings.ts'
import type { CharacterPlan, GamePlan } from '../plan/plan.ts'

type ImageCopies = ReturnType<typeof createImageCopies>

interface ImageCopiesOptions {
  /** The request that records each key before an object is stored under it. */
  request: { _id: ObjectId; claimedAt: Date }
  /** Collects every key of this approval, also one whose record never arrived. */
  uploads: ObjectKey[]
  signal: AbortSignal
  timeoutMs?: number
}

/** Copies images of one approval into the storage, all within the time that they share. */
function createImageCopies(
  { db, images, log, failpoint }: Pick<RequestsDeps, 'db' | 'images' | 'log' | 'failpoint'>,
  { request, uploads, signal: outerSignal, timeoutMs = APPROVAL_IMAGES_TIMEOUT_MS }: ImageCopiesOptions,
) {
  const { _id, claimedAt } = request
  const ending = new AbortController()
  const signal = AbortSignal.any([outerSignal, ending.signal])
  const late = AbortSignal.timeout(timeoutMs)

  /** Records a key. @throws DomainError CONFLICT when the claim is lost, the signal's reason; then nothing must be stored */
  async function recordKey(key: ObjectKey): Promise<void> {
    signal.throwIfAborted()
    uploads.push(key)
    await failpoint('approval:recording-upload')
    const { matchedCount } = await db.contentRequests.updateOne(
      { _id, status: 'pending', claimedAt },
      { $addToSet: { pendingUploads: key } },
    )
    await failpoint('approval:upload-recorded')
    if (matchedCount === 0) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
  }

  const copy: Images['copy'] = async (image) => {
    try {
      await failpoint('approval:copying-image')
      const copied = await images.copy({ ...image, recordKey, signal, late })
      await failpoint('approval:uploaded')
      return copied
    } catch (error) {
      // The approval fails, so the other copies are useless.
      if (!(error instanceof ImageError)) ending.abort(error)
      signal.throwIfAborted()
      throw error
    }
  }

  return {
    /** Aborts at the deadline, when the service stops, and when a copy fails for another reason than its link. */
    signal,
    recordKey,
    copy,
    /** @returns the key of an image of the payload; null when its link failed */
    async copyProposed(link: string, folder: Folder, entityId: ObjectId): Promise<ObjectKey | null> {
      try {
        return await copy({ link, folder, entityId })
      } catch (error) {
        if (!(error instanceof ImageError)) throw error
        log.warn({ err: error, link }, 'image of a request could not be copied')
        return null
      }
    },
  }
}

type CopyDeps = Pick<RequestsDeps, 'db' | 'storage'>

/** True when a proposed link is the address of an object that the field holds: nothing is copied or written for it. */
const isHeldBy = ({ keyOf }: CopyDeps['storage'], held: unknown, link: string) =>
  stringsIn([held].flat()).includes(keyOf(link) ?? '')

/** Copies the images of the payload, then those of the sources; a source gives no cover where there is one already. */
async function copyGameImages({ db, storage }: CopyDeps, copies: ImageCopies, plan: GamePlan) {
  const { imageLinks, ...planned } = plan
  const { gameId } = plan
  const projection = { isCustom: 1, cover: 1, screenshots: 1, artworks: 1 }
  const game = await db.games.findOne<StoredImages>({ _id: gameId }, { projection })
  const deps = { db, images: copies }
  const options = { gameId, signal: copies.signal, recordKey: copies.recordKey }

  const isHeld = (field: ImageField, link: string) => isHeldBy(storage, game?.[field], link)
  const { fields: images, failedImages: failedLinks } = await copyLinkedImages(imageLinks, {
    isWanted: (field, link) => !isHeld(field, link),
    copyImage: (link, folder) => copies.copyProposed(link, folder, gameId),
  })
  const entries: GamePlan['entries'] = []
  const warnings = [...plan.warnings]
  let hasCover = images.cover !== undefined || stringsIn([imageLinks.cover]).some((link) => isHeld('cover', link))
  let characters: PreparedCharacters | null = null
  for (const link of plan.entries) {
    const { cover: _, ...others } = link.resolved.images
    const resolved = hasCover ? { ...link.resolved, images: others } : link.resolved
    const { fields, failedImages } = await copyEntryImages(deps, { ...options, game, resolved })
    hasCover ||= fields.cover !== undefined
    entries.push({ ...link, resolved: { ...resolved, fields: { ...resolved.fields, ...fields } } })

    const prepared = await copyMugShots(deps, { ...options, resolved })
    const failed = failedImages.length + prepared.failedImages.length
    if (failed > 0) warnings.push(imagesNotCopied(resolved, failed))
    if (resolved.characters.length > 0) characters = prepared
  }
  return { entry: { ...planned, images, entries, characters, warnings }, failedLinks }
}

async function copyMugShot({ db, storage }: CopyDeps, copies: ImageCopies, { mugShotLink, ...entry }: CharacterPlan) {
  const stored = await db.characters.findOne({ _id: entry._id }, { projection: { mugShot: 1 } })
  const isWanted = mugShotLink !== undefined && !isHeldBy(storage, stored?.mugShot, mugShotLink)
  const mugShot = isWanted ? await copies.copyProposed(mugShotLink, 'characters', entry._id) : null
  return {
    entry: { ...entry, fields: { ...entry.fields, ...(mugShot !== null && { mugShot }) } },
    failedLinks: isWanted && mugShot === null ? [mugShotLink] : [],
  }
}

export type GameEntry = Awaited<ReturnType<typeof copyGameImages>>['entry']
export type CharacterEntry = Awaited<ReturnType<typeof copyMugShot>>['entry']

export interface CopiedPlan {
  entry: GameEntry | CharacterEntry
  /** Links of the payload that could not be copied, in its order. */
  failedLinks: readonly string[]
}

/**
 * Copies the images of a plan into the storage, at most 4 at once, each recorded before it is stored. However it ends,
 * nothing is being stored any more. An image of a source that cannot be copied becomes a warning.
 * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
 */
export async function copy(
  deps: Pick<RequestsDeps, 'db' | 'storage' | 'images' | 'log' | 'failpoint'>,
  plan: GamePlan | CharacterPlan,
  options: ImageCopiesOptions,
): Promise<CopiedPlan> {
  const copies = createImageCopies(deps, options)
  return plan.kind === 'game' ? await copyGameImages(deps, copies, plan) : await copyMugShot(deps, copies, plan)
}
