import { readdir } from 'node:fs/promises'
import { ObjectId } from 'mongodb'
import { expect, vi } from 'vitest'
import type { BatchLimits } from '#lib/domain/conflicts/writer/batch-writer'
import type { Failpoint } from '#lib/infrastructure/concurrency/failpoint'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { TransportOptions } from '#lib/infrastructure/sources/transport/client'
import { filesFolder } from '#lib/infrastructure/storage/local-storage'
import { watchConflicts } from '../clients/watch-conflicts.ts'
import { insertConflict, insertGame, newConflict } from '../rows/rows.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService } from '../service/start-service.ts'
import { createFastSources } from '../stand-ins/fast-sources.ts'
import { startHltbStandIn } from '../stand-ins/hltb.ts'
import { startIgdbStandIn } from '../stand-ins/igdb.ts'
import { startImageHost } from '../stand-ins/image-host.ts'
import { startRaStandIn } from '../stand-ins/retroachievements.ts'
import { createSkippingTiming } from '../stand-ins/skipping-timing.ts'
import { startVndbStandIn } from '../stand-ins/vndb.ts'

type Entry = Pick<ConflictDocument, 'source' | 'externalId'>
type Queued = Partial<ConflictDocument> & Entry
type Stored = Pick<ConflictDocument, '_id'>

interface SceneOptions {
  /** True when every source but VNDB is switched off. */
  isVndbAlone?: boolean
  batchLimits?: Partial<BatchLimits>
  transport?: Pick<TransportOptions, 'attemptMs' | 'callMs' | 'permitMs'>
  isWriting?: boolean
  failpoint?: Failpoint
  mongodbUri?: string
  env?: Record<string, string>
}

const WAIT = { timeout: 60_000, interval: 20 }

const newDecider = () => ({ userId: new ObjectId(), userName: 'carol' })

export type WriterScene = Awaited<ReturnType<typeof startWriterScene>>

/** Starts a service whose writer runs, with stand-ins for all sources, an image host and an admin's socket. */
export async function startWriterScene(options: SceneOptions = {}) {
  const { isVndbAlone = false, batchLimits = {}, transport = {}, isWriting = true, failpoint, mongodbUri } = options
  const [igdb, vndb, hltb, ra, imageHost] = await Promise.all([
    startIgdbStandIn({ perWindow: 10_000 }),
    startVndbStandIn(),
    startHltbStandIn(),
    startRaStandIn(),
    startImageHost(),
  ])
  const env = {
    ...vndb.env,
    ...(!isVndbAlone && { ...igdb.env, ...hltb.env, ...ra.env }),
    IGDB_IMAGES_URL: imageHost.link('png'),
    IMAGE_FETCH_ALLOW: imageHost.place,
    ...options.env,
  }
  const timing = createSkippingTiming()
  const service = await startService({
    env,
    sources: createFastSources(env, { timing, ...transport }),
    isWriting,
    batchLimits: { pollMs: 50, imagesMs: 60_000, ...batchLimits },
    ...(failpoint && { failpoint }),
    ...(mongodbUri !== undefined && { mongodbUri }),
  })
  const admin = await service.caller({ userName: 'carol', isAdmin: true })
  const tab = await watchConflicts(service, admin)

  const read = async ({ _id }: Stored) => {
    const record = await service.db.conflicts.findOne({ _id })
    if (record === null) throw new Error(`there is no conflict ${_id}`)
    return record
  }
  /** Events of a conflict at an admin's socket so far: decided states, and `applied`. */
  const eventsOf = async ({ source, externalId }: Entry) => {
    const events = await tab.seen()
    return events.flatMap(({ event, payload }) => {
      // The shapes of both events in the namespace's contract.
      const about = payload as { source: string; externalId?: string; externalIds?: string[]; state?: string }
      if (about.source !== source) return []
      if (event === 'conflict:decided') return about.externalId === externalId ? [String(about.state)] : []
      return (about.externalIds ?? []).filter((id) => id === externalId).map(() => 'applied')
    })
  }

  const queue = (facts: Queued) => insertConflict(service.db, { decision: 'match', decidedBy: newDecider(), ...facts })
  /** Waits until the writer is done with this record, and answers it. */
  const settled = (record: Stored) =>
    vi.waitFor(async () => {
      const now = await read(record)
      expect(now.status !== 'pending' || now.decision === null).toBe(true)
      return now
    }, WAIT)

  return {
    service,
    admin,
    igdb,
    vndb,
    hltb,
    ra,
    /** The host of VNDB's images, at any path, and of those of IGDB, at `/png/t_1080p/<image id>.jpg`. */
    imageHost,
    /** An image of VNDB, which the host serves at this path. */
    image: (path: string, sexual = 0) => ({ id: 'cv1', url: imageHost.link(path), sexual, violence: 0 }),
    read,
    eventsOf,
    queue,
    /** Stores skips at once, so that one batch finds them: skips that need no source, or those of novels that VNDB has. */
    async queueSkips(source: 'ra' | 'vndb', ids: readonly number[]) {
      const now = new Date()
      const times = { createdAt: now, updatedAt: now }
      const records = ids.map((id) => {
        const externalId = source === 'vndb' ? `v${id}` : String(id)
        if (source === 'vndb') vndb.put({ id: externalId, title: `Novel ${externalId}` })
        const names = { source, externalId, externalName: externalId }
        return newConflict({ ...names, ...times, decision: 'skip', decidedBy: newDecider() })
      })
      await service.db.conflicts.insertMany(records)
      return records
    },
    async game(id: ObjectId | null | undefined) {
      const game = id && (await service.db.games.findOne({ _id: id }))
      if (!game) throw new Error(`there is no game ${id}`)
      return game
    },
    settled,
    apply: async (facts: Queued) => settled(await queue(facts)),
    insertGame: (facts?: Partial<GameDocument>) => insertGame(service.db, facts),
    /** Resolves when the batch of this record was announced. */
    announced: (record: Entry) => vi.waitFor(async () => expect((await eventsOf(record)).at(-1)).toBe('applied'), WAIT),
    /** Lets time pass for the sources' circuits. */
    letPass: (ms: number) => timing.wait(ms),
    objects: (folder: string, entity: ObjectId | null | undefined) =>
      readdir(`${filesFolder(service.deps.config)}/${folder}/${entity}`).catch(() => []),
    async close() {
      await service.close()
      await Promise.all([igdb, vndb, hltb, ra, imageHost].map((server) => server.close()))
    },
  }
}

export const useWriterScene = closeAtEnd(startWriterScene)
