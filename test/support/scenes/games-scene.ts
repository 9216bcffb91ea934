import type { ClientSession, ObjectId } from 'mongodb'
import type { Deps } from '#lib/deps'
import { writeGame } from '#lib/domain/requests/commit/write-game'
import { copy } from '#lib/domain/requests/copy/copy'
import { plan as planRequest } from '#lib/domain/requests/plan/plan'
import { APPROVAL_COMMIT_MS } from '#lib/infrastructure/concurrency/timeouts'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { ImageError } from '#lib/infrastructure/images/images'
import type { TransportOptions } from '#lib/infrastructure/sources/transport/client'
import type { ObjectKey } from '#lib/infrastructure/storage/storage'
import { insertKeyedGame, insertPlatform, insertRequest as insertRow } from '../rows/rows.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService } from '../service/start-service.ts'
import { createFastSources } from '../stand-ins/fast-sources.ts'
import { startHltbStandIn } from '../stand-ins/hltb.ts'
import { startIgdbStandIn } from '../stand-ins/igdb.ts'
import { startImageHost } from '../stand-ins/image-host.ts'
import { startIndexNowStandIn } from '../stand-ins/indexnow.ts'
import { startRaStandIn } from '../stand-ins/retroachievements.ts'
import { startVndbStandIn } from '../stand-ins/vndb.ts'

export type Payload = Record<string, unknown>

/** Timeouts of the clients of all sources; absent ones are as in service. */
type Timeouts = Pick<TransportOptions, 'attemptMs' | 'callMs'>

interface Options {
  /** Absent for an `add`. */
  targetId?: ObjectId
  lockSync?: boolean
  force?: boolean
  signal?: AbortSignal
}

const INDEXNOW_KEY = '0f3c9a71b2d84e56'

/** Starts a service with stand-ins for all sources, an image host and local files. A link with `broken` leads to no image. */
async function startGamesScene({ without = [] }: { without?: 'hltb'[] } = {}) {
  const [igdb, vndb, hltb, ra, host, indexNow] = await Promise.all([
    startIgdbStandIn({ perWindow: 10_000 }),
    startVndbStandIn(),
    startHltbStandIn(),
    startRaStandIn(),
    startImageHost(),
    startIndexNowStandIn({ readKeyFile: async () => INDEXNOW_KEY }),
  ])
  const env: Record<string, string> = {
    ...igdb.env,
    ...vndb.env,
    ...ra.env,
    ...(without.includes('hltb') ? {} : hltb.env),
    IGDB_IMAGES_URL: host.link('png'),
    IMAGE_FETCH_ALLOW: host.place,
    INDEXNOW_URL: `${indexNow.url}/indexnow`,
    INDEXNOW_KEY,
    FRONT_URL: 'https://games.example',
  }
  const makeSources = (timeouts: Timeouts = {}) => createFastSources(env, { retryMs: 1, ...timeouts })
  const objects = new Set<ObjectKey>()
  const recorded: ObjectKey[] = []
  const service = await startService({ env, sources: makeSources() })
  const { db, storage, images } = service.deps
  const [put, remove, copyImage] = [storage.put, storage.delete, images.copy]
  storage.put = async (key, ...rest) => {
    await put(key, ...rest)
    objects.add(key)
  }
  storage.delete = async (keys) => {
    await remove(keys)
    for (const key of keys) objects.delete(key)
  }
  images.copy = async (wanted) => {
    if (wanted.link.includes('broken')) throw new ImageError('it is no image')
    return await copyImage({
      ...wanted,
      async recordKey(key) {
        await wanted.recordKey?.(key)
        recorded.push(key)
      },
    })
  }
  let deps: Deps = service.deps

  async function insertRequest(payload: Payload, targetId?: ObjectId): Promise<ContentRequestDocument> {
    return await insertRow(db, { payload, ...(targetId && { action: 'update', targetId }) })
  }

  /** Plans and copies; nothing of the catalogue is written. */
  async function plan(payload: Payload, { targetId, ...options }: Options = {}) {
    const { signal = new AbortController().signal, lockSync = false, force = false } = options
    const claimedAt = new Date()
    const request = { ...(await insertRequest(payload, targetId)), claimedAt }
    await db.contentRequests.updateOne({ _id: request._id }, { $set: { claimedAt } })
    const planned = await planRequest(deps, { ...request, lockSync, force, signal })
    const { entry, failedLinks } = await copy(deps, planned, { request, uploads: [], signal })
    if (entry.kind !== 'game') throw new Error('it is no game')
    const write = (session: ClientSession) => writeGame(deps, entry, session)
    return {
      warnings: entry.warnings,
      failedImages: failedLinks,
      write,
      /** Writes in a transaction of its own. */
      commit: () => db.transaction(write, { timeoutMs: APPROVAL_COMMIT_MS }),
    }
  }

  async function game(id: ObjectId): Promise<GameDocument> {
    const found = await db.games.findOne({ _id: id })
    if (found === null) throw new Error(`there is no game ${id}`)
    return found
  }

  return {
    service,
    get deps() {
      return deps
    },
    igdb,
    vndb,
    hltb,
    ra,
    indexNow,
    images: host,
    objects,
    recorded,
    insertRequest,
    plan,
    async approve(payload: Payload, options?: Options) {
      const { warnings, failedImages, commit } = await plan(payload, options)
      const entry = await commit()
      return { ...entry, warnings, failedImages, game: await game(entry.resultId) }
    },
    game,
    /** Stores a game with its derived keys, and answers its id. */
    insertGame: async (facts: Partial<GameDocument> = {}): Promise<ObjectId> =>
      (await insertKeyedGame(service.deps, { name: 'Harbour Lights', ...facts }))._id,
    insertPlatform: (facts: { igdbId?: number; vndbId?: string; raConsoleId?: number }) => insertPlatform(db, facts),
    /** Empties the database and the stand-ins, and makes clients whose circuits are closed. */
    async reset(timeouts?: Timeouts) {
      await Promise.all(
        [db.games, db.characters, db.platforms, db.contentRequests, db.leases].map((each) => each.deleteMany({})),
      )
      for (const standIn of [igdb, vndb, hltb, ra, indexNow]) standIn.reset()
      igdb.games.length = 0
      igdb.characters.length = 0
      indexNow.announced.length = 0
      host.requests.length = 0
      objects.clear()
      recorded.length = 0
      deps = { ...service.deps, sources: makeSources(timeouts) }
    },
    async close() {
      await service.close()
      await Promise.all([igdb, vndb, hltb, ra, host, indexNow].map((each) => each.close()))
    },
  }
}

export const useGamesScene = closeAtEnd(startGamesScene)
