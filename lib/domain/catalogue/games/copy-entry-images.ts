import type { ObjectId } from 'mongodb'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { Folder, ObjectKey } from '#lib/infrastructure/storage/storage'
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

export type ImageField = keyof typeof FOLDERS
export type StoredImages = Pick<GameDocument, '_id' | 'isCustom' | 'curatedFields' | ImageField>

export const listImages = ({ cover, screenshots, artworks }: Partial<GameDocument>): string[] =>
  stringsIn([cover, ...stringsIn(screenshots), ...stringsIn(artworks)])

const CONCURRENCY = 4
const FOLDERS = { cover: 'covers', screenshots: 'screenshots', artworks: 'artworks' } as const
const FIELDS = ['cover', 'screenshots', 'artworks'] as const

interface GameImageCopy {
  isWanted(field: ImageField, link: string): boolean
  /** Answers null for a link without a usable image. */
  copyImage(link: string, folder: Folder): Promise<ObjectKey | null>
}

/** Copies linked images of a game, each link of a field once. A link without a usable image is one of `failedImages`. */
export async function copyLinkedImages(
  links: Partial<Record<ImageField, unknown>>,
  { isWanted, copyImage }: GameImageCopy,
) {
  const wanted = FIELDS.flatMap((field) => {
    const distinct = [...new Set(stringsIn([links[field]].flat()))]
    return distinct.filter((link) => isWanted(field, link)).map((link) => ({ field, link }))
  })
  const images = await mapLimited(wanted, CONCURRENCY, async ({ field, link }) => {
    return { field, link, key: await copyImage(link, FOLDERS[field]) }
  })

  const keysIn = (wantedField: ImageField) =>
    images.flatMap(({ field, key }) => (field === wantedField ? (key ?? []) : []))
  return {
    fields: withoutEmpty({
      cover: keysIn('cover')[0],
      screenshots: keysIn('screenshots'),
      artworks: keysIn('artworks'),
    }),
    failedImages: images.flatMap(({ link, key }) => (key === null ? link : [])),
  }
}

/**
 * Copies the images of an entry into the storage that the source may write to a game. Images that the game has are not read
 * again.
 * @throws StorageError, or the signal's reason
 */
export async function copyEntryImages(
  deps: ImageDeps,
  { gameId, game, resolved, writes = 'all', ...options }: CopyEntryImagesInput,
) {
  const { source, images } = resolved
  const stored = new Set(listImages(game ?? {}))
  return await copyLinkedImages(images, {
    isWanted: (field) => mayWrite(game, { source, field, stored: game?.[field], writes }),
    copyImage: (link, folder) => copySourceImage(deps, { link, folder, entityId: gameId, stored, ...options }),
  })
}
