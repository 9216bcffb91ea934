import type { ObjectId } from 'mongodb'
import { createSemaphore } from '#lib/infrastructure/concurrency/semaphore'
import type { Images } from '#lib/infrastructure/images/images'
import { copyMugShots, type PreparedCharacters } from '../../catalogue/characters/copy-mug-shots.ts'
import type { ResolvedEntry } from '../../catalogue/entries/resolve-entries.ts'
import { copyEntryImages } from '../../catalogue/games/copy-entry-images.ts'
import type { ConflictsDeps } from '../deps.ts'
import type { LoadedDecision } from './load-decisions.ts'
import { isWhole, plan } from './plan.ts'

export interface CopiedImages {
  gameId: ObjectId
  /** The entry, with the keys of the game's images among its fields. */
  resolved: ResolvedEntry
  characters: PreparedCharacters
}

const IMAGES_AT_ONCE = 2

/** Limits the images of one source. A decision has a turn, with which its time limit begins, and each download a permit. */
export const createImageLimits = () => ({
  turns: createSemaphore(IMAGES_AT_ONCE),
  downloads: createSemaphore(IMAGES_AT_ONCE),
})

interface CopyOptions {
  images: ReturnType<typeof createImageLimits>
  imagesMs: number
  signal: AbortSignal
}

/**
 * Copies the images of an entry, where its decision writes them. The plan that is made here only says for which game:
 * `commit` plans what is written.
 * @throws StorageError, or the signal's reason
 */
export async function copy(
  deps: ConflictsDeps,
  decision: LoadedDecision,
  { images: { turns, downloads }, imagesMs, signal }: CopyOptions,
): Promise<CopiedImages | null> {
  const planned = await plan(deps, decision)
  if (!isWhole(planned)) return null
  const { gameId, game, resolved, writes } = planned
  return await turns.run(signal, async () => {
    const late = AbortSignal.timeout(imagesMs)
    const copyImage: Images['copy'] = (image) => downloads.run(signal, () => deps.images.copy({ ...image, late }))
    const imageDeps = { db: deps.db, images: { copy: copyImage } }
    const images = await copyEntryImages(imageDeps, { gameId, game, resolved, writes, signal })
    const characters = await copyMugShots(imageDeps, { gameId, resolved, signal })
    await deps.failpoint('writer:mug-shots-copied')
    const failedImages = [...images.failedImages, ...characters.failedImages]
    const { source, externalId } = decision.record
    if (failedImages.length > 0)
      deps.log.warn({ source, externalId, failedImages }, 'images of an entry could not be copied')
    return { gameId, resolved: { ...resolved, fields: { ...resolved.fields, ...images.fields } }, characters }
  })
}
