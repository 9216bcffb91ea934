import type { ObjectId } from 'mongodb'
import { mapLimited } from '../concurrency/map-limited.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { type CopyOptions, copySourceImage, type ImageDeps } from '../entries/copy-source-image.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { stringsIn } from '../names/normalise-name.ts'
import type { GamesDeps } from './deps.ts'
import { mayWrite } from './entry-changes.ts'
import { listImages } from './list-images.ts'

interface CopyEntryImagesInput extends CopyOptions {
  gameId: ObjectId
  /** The game as its caller read it, null for a new one; read here when it is left out. */
  game?: StoredImages | null | undefined
  resolved: ResolvedEntry
}

interface CopiedImages {
  /** Public addresses, to be written with the other fields of the entry. */
  fields: Pick<GameDocument, 'cover' | 'screenshots' | 'artworks'>
  /** Links that could not be copied, which are left out. */
  failedImages: string[]
}

type ImageField = keyof CopiedImages['fields']
type StoredImages = Pick<GameDocument, '_id' | 'isCustom' | ImageField>

const CONCURRENCY = 4
const FOLDERS = { cover: 'covers', screenshots: 'screenshots', artworks: 'artworks' } as const

function listWantedImages({ source, images }: ResolvedEntry, game: StoredImages | null) {
  const links = { cover: stringsIn([images.cover]), screenshots: images.screenshots, artworks: images.artworks }
  const fields = ['cover', 'screenshots', 'artworks'] as const
  return fields
    .filter((field) => mayWrite(game, source, game?.[field]))
    .flatMap((field) => [...new Set(links[field])].map((link) => ({ field, link })))
}

/**
 * Copies the images that an entry of a source gives to a game into the storage, under keys that are the same each time.
 * Images that the game has already are not read again.
 * @throws StorageError, or the signal's reason
 */
export async function copyEntryImages(
  deps: Pick<GamesDeps, 'db'> & ImageDeps,
  { gameId, game: loaded, resolved, ...options }: CopyEntryImagesInput,
): Promise<CopiedImages> {
  const projection = { isCustom: 1, cover: 1, screenshots: 1, artworks: 1 }
  const game =
    loaded === undefined ? await deps.db.games.findOne<StoredImages>({ _id: gameId }, { projection }) : loaded
  const stored = new Set(listImages(game ?? {}))
  const images = await mapLimited(listWantedImages(resolved, game), CONCURRENCY, async ({ field, link }) => {
    const url = await copySourceImage(deps, { link, folder: FOLDERS[field], entityId: gameId, stored, ...options })
    return { field, link, url }
  })

  const urlsIn = (wanted: ImageField) => images.flatMap(({ field, url }) => (field === wanted ? (url ?? []) : []))
  const [cover] = urlsIn('cover')
  const screenshots = urlsIn('screenshots')
  const artworks = urlsIn('artworks')
  return {
    fields: {
      ...(cover !== undefined && { cover }),
      ...(screenshots.length > 0 && { screenshots }),
      ...(artworks.length > 0 && { artworks }),
    },
    failedImages: images.flatMap(({ link, url }) => (url === null ? link : [])),
  }
}
