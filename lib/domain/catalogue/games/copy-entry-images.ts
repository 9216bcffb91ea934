import type { ObjectId } from 'mongodb'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { stringsIn } from '../../names/normalise-name.ts'
import { type CopyOptions, copySourceImage, type ImageDeps } from '../entries/copy-source-image.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { mayWrite, type Writes } from './entry-changes.ts'

interface CopyEntryImagesInput extends CopyOptions {
  gameId: ObjectId
  game: StoredImages | null
  resolved: ResolvedEntry
  /** `all` by default. */
  writes?: Writes
}

type ImageField = keyof typeof FOLDERS
export type StoredImages = Pick<GameDocument, '_id' | 'isCustom' | 'curatedFields' | ImageField>

export const listImages = ({ cover, screenshots, artworks }: Partial<GameDocument>): string[] =>
  stringsIn([cover, ...stringsIn(screenshots), ...stringsIn(artworks)])

const CONCURRENCY = 4
export const FOLDERS = { cover: 'covers', screenshots: 'screenshots', artworks: 'artworks' } as const

function listWantedImages({ source, images }: ResolvedEntry, game: StoredImages | null, writes: Writes) {
  const links = { cover: stringsIn([images.cover]), screenshots: images.screenshots, artworks: images.artworks }
  const fields = ['cover', 'screenshots', 'artworks'] as const
  return fields
    .filter((field) => mayWrite(game, { source, field, stored: game?.[field], writes }))
    .flatMap((field) => [...new Set(links[field])].map((link) => ({ field, link })))
}

/**
 * Copies the images of an entry into the storage that the source may write to a game. Images that the game has are not read
 * again. A link without a usable image is one of `failedImages`.
 * @throws StorageError, or the signal's reason
 */
export async function copyEntryImages(
  deps: ImageDeps,
  { gameId, game, resolved, writes = 'all', ...options }: CopyEntryImagesInput,
) {
  const stored = new Set(listImages(game ?? {}))
  const images = await mapLimited(listWantedImages(resolved, game, writes), CONCURRENCY, async ({ field, link }) => {
    const key = await copySourceImage(deps, { link, folder: FOLDERS[field], entityId: gameId, stored, ...options })
    return { field, link, key }
  })

  const keysIn = (wanted: ImageField) => images.flatMap(({ field, key }) => (field === wanted ? (key ?? []) : []))
  return {
    fields: withoutEmpty({
      cover: keysIn('cover')[0],
      screenshots: keysIn('screenshots'),
      artworks: keysIn('artworks'),
    }),
    failedImages: images.flatMap(({ link, key }) => (key === null ? link : [])),
  }
}
