import { readFile } from 'node:fs/promises'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Folder, Storage } from '../../infrastructure/storage/storage.ts'
import { seedId } from './seed-rows.ts'
import { GAMES, REQUESTS } from './seed-tables.ts'

const COVERS = 8
const SCREENSHOTS = 2
/** The fields of a proposal that hold images. */
const FOLDERS: Readonly<Record<string, Folder>> = {
  cover: 'covers',
  screenshots: 'screenshots',
  artworks: 'artworks',
  mugShot: 'characters',
}

/** Stores covers of games, and replaces placeholders in proposals by stored images, under stable keys. */
export async function fillPictures({ games, contentRequests }: Database, storage: Storage): Promise<void> {
  /** Stores a picture of `images`. `text` determines the picture and its id. */
  async function store(folder: Folder, entity: string, text: string): Promise<string> {
    const id = seedId(`picture/${text}`)
    const number = id.id[0] ?? 0
    const isPortrait = folder === 'covers' || folder === 'characters'
    const name = isPortrait ? `cover-${1 + (number % COVERS)}` : `screenshot-${1 + (number % SCREENSHOTS)}`
    const key = `${folder}/${seedId(entity).toHexString()}/${id.toHexString()}` as const
    await storage.put(key, {
      bytes: await readFile(new URL(`./images/${name}.png`, import.meta.url)),
      type: 'image/png',
    })
    return key
  }

  const ids = GAMES.rows.map(({ _id }) => seedId(_id.slice(1)))
  const withoutCover = games.find({ _id: { $in: ids }, cover: { $exists: false } }, { projection: { slug: 1 } })
  for await (const { _id, slug } of withoutCover) {
    const cover = await store('covers', `game/${slug}`, slug)
    await games.updateOne({ _id, cover: { $exists: false } }, { $set: { cover } })
  }

  for (const { _id: name, payload } of REQUESTS.rows) {
    // A proposal is an object of fields.
    for (const [field, proposed] of Object.entries(payload as object)) {
      const folder = FOLDERS[field]
      if (folder === undefined) continue
      const keys = await Promise.all([proposed].flat().map((text) => store(folder, name.slice(1), text)))
      await contentRequests.updateOne(
        { _id: seedId(name.slice(1)), status: 'pending', [`payload.${field}`]: proposed },
        { $set: { [`payload.${field}`]: Array.isArray(proposed) ? keys : keys[0] } },
      )
    }
  }
}
