import { readFile } from 'node:fs/promises'
import type { ObjectId } from 'mongodb'
import type { Folder, Storage } from '../storage/storage.ts'
import { seedGames, seedRequests } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

const COVERS = 8
const SCREENSHOTS = 2
/** Names no image: what stands there is replaced by a picture of this installation. */
const PLACEHOLDER = 'https://example.com/'

interface Picture {
  folder: Folder
  entityId: ObjectId
  /** Decides which picture it is, and its id. */
  text: string
}

/** Stores one of the pictures in `images`; a second attempt stores the same under the same key. */
async function storePicture(storage: Storage, { folder, entityId, text }: Picture): Promise<string> {
  const id = seedId('picture', text)
  const number = id.id[0] ?? 0
  const isPortrait = folder === 'covers' || folder === 'characters'
  const name = isPortrait ? `cover-${1 + (number % COVERS)}` : `screenshot-${1 + (number % SCREENSHOTS)}`
  const key = `${folder}/${entityId.toHexString()}/${id.toHexString()}` as const
  const bytes = await readFile(new URL(`./images/${name}.png`, import.meta.url))
  await storage.put(key, { bytes, type: 'image/png' })
  return storage.urlOf(key)
}

async function fillCovers({ db, storage }: SeedContext): Promise<void> {
  const ids = seedGames.map(({ slug }) => seedId('game', slug))
  const bare = db.games.find({ _id: { $in: ids }, cover: { $exists: false } }, { projection: { slug: 1 } })
  for await (const { _id, slug } of bare) {
    const cover = await storePicture(storage, { folder: 'covers', entityId: _id, text: slug })
    await db.games.updateOne({ _id, cover: { $exists: false } }, { $set: { cover } })
  }
}

const FOLDERS: Readonly<Record<string, Folder>> = {
  cover: 'covers',
  screenshots: 'screenshots',
  artworks: 'artworks',
  mugShot: 'characters',
}

async function fillProposedImages({ db, storage }: SeedContext): Promise<void> {
  for (const { key, payload } of seedRequests) {
    const _id = seedId('request', key)
    for (const [field, folder] of Object.entries(FOLDERS)) {
      const proposed = payload[field]
      const links = [proposed].flat().filter((link) => typeof link === 'string')
      if (links.length === 0 || !links.every((link) => link.startsWith(PLACEHOLDER))) continue
      const pictures = await Promise.all(links.map((text) => storePicture(storage, { folder, entityId: _id, text })))
      const value = Array.isArray(proposed) ? pictures : pictures[0]
      await db.contentRequests.updateOne(
        { _id, status: 'pending', [`payload.${field}`]: proposed },
        { $set: { [`payload.${field}`]: value } },
      )
    }
  }
}

/** Gives games covers, and proposals images that can be looked at; they are the project's own. */
export async function fillPictures(context: SeedContext): Promise<void> {
  await fillCovers(context)
  await fillProposedImages(context)
}
