import { readFile } from 'node:fs/promises'
import type { Config } from '../../base/config.ts'
import { areDemoUsersAllowed, DEMO_USERS } from '../../domain/auth/demo-users.ts'
import type { CollectionName, Database } from '../../infrastructure/db/connect.ts'
import { createStorage } from '../../infrastructure/storage/create-storage.ts'
import type { Folder, Storage } from '../../infrastructure/storage/storage.ts'
import { insertRows, listStored, type SeedTable, seedId, toRowName } from './seed-rows.ts'
import * as tables from './seed-tables.ts'
import { GAMES, REQUESTS } from './seed-tables.ts'

const COVERS = 8
const SCREENSHOTS = 2
const FOLDERS: Readonly<Record<string, Folder>> = {
  cover: 'covers',
  screenshots: 'screenshots',
  artworks: 'artworks',
  mugShot: 'characters',
}

/** Stores covers of games, and replaces placeholders in proposals by stored images, under stable keys. */
async function fillPictures({ games, contentRequests }: Database, storage: Storage): Promise<void> {
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

  const ids = GAMES.rows.map((row) => seedId(toRowName(row)))
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

/** A part of the first data. It stores only missing rows, so a killed attempt can be repeated. */
interface SeedPart {
  name: string
  /** Which installations get the part: every one, a demonstration, or one where demo users may exist. */
  scope: 'product' | 'demonstration' | 'demo users'
  table?: SeedTable
  fill?(db: Database, storage: Storage): Promise<void>
}

const USERS = 'users'
/** The parts in the order of their dependencies. A name must never be reused for another part. */
const PARTS: readonly SeedPart[] = [
  { name: 'platforms', scope: 'product', table: tables.PLATFORMS },
  { name: 'games', scope: 'demonstration', table: tables.GAMES },
  { name: 'characters', scope: 'demonstration', table: tables.CHARACTERS },
  { name: 'conflicts', scope: 'demonstration', table: tables.CONFLICTS },
  { name: USERS, scope: 'demo users', table: tables.USERS },
  { name: 'discussion', scope: 'demo users', table: tables.COMMENTS },
  { name: 'reports', scope: 'demo users', table: tables.REPORTS },
  { name: 'requests', scope: 'demo users', table: tables.REQUESTS },
  { name: 'notifications', scope: 'demo users', table: tables.NOTIFICATIONS },
  { name: 'staff log', scope: 'demo users', table: tables.STAFF_ACTIONS },
  // A public catalogue must not show drawings as covers.
  { name: 'pictures', scope: 'demo users', fill: fillPictures },
]

interface Fill {
  db: Database
  config: Config
  print(line: string): void
  /** True for a start: it fills an embedded database with all parts, and any other with those of the product, if it is empty. */
  isAutomatic: boolean
  /** True to store the parts for a demonstration in production, too. */
  isDemo?: boolean
}

const listNames = (parts: readonly SeedPart[]) => parts.map(({ name }) => name).join(', ')

/** Stores the parts of the first data that this database has not had yet, and completes interrupted ones. */
export async function fillFirstData({ db, config, print, isAutomatic, isDemo }: Fill): Promise<void> {
  const isWhole = isAutomatic ? config.mongodbUri === undefined : !config.isProduction || isDemo
  const begun = await db.seeds.find().toArray()
  if (isAutomatic && begun.length === 0) {
    const all = PARTS.flatMap(({ table }) => table?.collection ?? [])
    const mustBeEmpty: CollectionName[] = isWhole ? [...all, 'presets'] : ['platforms']
    const counts = await Promise.all(mustBeEmpty.map((name) => db[name].estimatedDocumentCount()))
    if (counts.some((count) => count > 0)) return
  }

  const done = new Set(begun.filter(({ filledAt }) => filledAt !== undefined).map(({ _id }) => _id))
  const missing = PARTS.filter(({ name }) => !done.has(name))
  const areAllowed = { product: true, demonstration: isWhole, 'demo users': isWhole && areDemoUsersAllowed(config) }
  const allowed = missing.filter(({ scope }) => areAllowed[scope])
  if (isAutomatic && allowed.length === 0) return
  if (missing.length === 0) {
    print('Everything was filled in before')
    return
  }
  const storage = createStorage(config)
  const stored = new Set<string>()
  const findLackingUsers = () => [...DEMO_USERS.values()].filter((userName) => !stored.has(`user/${userName}`))
  const filled: SeedPart[] = []

  for (const part of PARTS) {
    const { name, scope, table, fill } = part
    const hasUsers = scope !== 'demo users' || name === USERS || findLackingUsers().length === 0
    const isFilled = allowed.includes(part) && hasUsers
    if (isFilled) {
      await db.seeds.updateOne({ _id: name }, { $setOnInsert: { startedAt: new Date() } }, { upsert: true })
      if (table) await insertRows(db, table, stored)
      await fill?.(db, storage)
    }
    for (const row of table ? await listStored(db, table) : []) stored.add(row)
    if (!isFilled || (name === USERS && findLackingUsers().length > 0)) continue
    await db.seeds.updateOne({ _id: name }, { $set: { filledAt: new Date() } })
    filled.push(part)
  }
  const leftOut = missing.filter((part) => !filled.includes(part))
  if (filled.length > 0) print(`Filled in: ${listNames(filled)}`)
  if (isAutomatic || leftOut.length === 0) return
  const reason = !isWhole
    ? 'They are for a demonstration: in production they come with --demo alone'
    : areAllowed['demo users']
      ? `Not all demo users exist: ${findLackingUsers().join(', ')}, whose name or address somebody else may have`
      : 'Demo users exist only in development, while PUBLIC_URL names this machine'
  print(`Left out: ${listNames(leftOut)}. ${reason}`)
}
