import { readdir } from 'node:fs/promises'
import { ObjectId } from 'mongodb'
import { expect, vi } from 'vitest'
import type { Failpoint } from '../../../lib/concurrency/failpoint.ts'
import { readConfig } from '../../../lib/config.ts'
import type { BatchLimits } from '../../../lib/conflicts/writer/batch-writer.ts'
import type { ConflictDocument } from '../../../lib/db/collections/conflicts.ts'
import type { GameDocument } from '../../../lib/db/collections/games.ts'
import { createLogger } from '../../../lib/observability/log.ts'
import { createSources } from '../../../lib/sources/sources.ts'
import type { TransportOptions } from '../../../lib/sources/transport/client.ts'
import { filesFolder } from '../../../lib/storage/local-storage.ts'
import type { Caller } from '../clients/caller.ts'
import { watchConflicts } from '../clients/watch-conflicts.ts'
import { insertConflict, newConflict } from '../rows/rows.ts'
import { startService, type TestService } from '../service/start-service.ts'
import { type HltbStandIn, startHltbStandIn } from '../stand-ins/hltb.ts'
import { type IgdbStandIn, startIgdbStandIn } from '../stand-ins/igdb.ts'
import { type ImageHost, startImageHost } from '../stand-ins/image-host.ts'
import { type RaStandIn, startRaStandIn } from '../stand-ins/retroachievements.ts'
import { createSkippingTiming } from '../stand-ins/skipping-timing.ts'
import { startVndbStandIn, type VndbStandIn } from '../stand-ins/vndb.ts'

type Entry = Pick<ConflictDocument, 'source' | 'externalId'>

export interface WriterScene {
  service: TestService
  admin: Caller
  igdb: IgdbStandIn
  vndb: VndbStandIn
  hltb: HltbStandIn
  ra: RaStandIn
  /** VNDB's images are anywhere on it; those of IGDB are `/png/t_1080p/<image id>.jpg`. */
  imageHost: ImageHost
  /** Stores a conflict whose decision waits for the writer. */
  queue(facts: Partial<ConflictDocument> & Entry): Promise<ConflictDocument>
  /** Stores skips that need no source, or of novels that are there, all at once, as one batch finds them. */
  queueSkips(source: 'ra' | 'vndb', ids: readonly number[]): Promise<ConflictDocument[]>
  read(record: Pick<ConflictDocument, '_id'>): Promise<ConflictDocument>
  game(id: ObjectId | null | undefined): Promise<GameDocument>
  /** Waits until the writer is done with this record, and answers it. */
  settled(record: Pick<ConflictDocument, '_id'>): Promise<ConflictDocument>
  /** Events of a conflict at an admin's socket so far: decided states, and `applied`. */
  told(record: Entry): Promise<string[]>
  /** Resolves when the batch of this record was announced. */
  announced(record: Entry): Promise<void>
  /** Lets time pass for the sources' circuits. */
  letPass(ms: number): Promise<void>
  /** Objects in the storage of one folder and entity. */
  objects(folder: string, entity: ObjectId | null | undefined): Promise<string[]>
  close(): Promise<void>
}

interface SceneOptions {
  without?: readonly ('igdb' | 'hltb' | 'ra')[]
  batchLimits?: Partial<BatchLimits>
  transport?: Pick<TransportOptions, 'attemptMs' | 'callMs' | 'permitMs'>
  isWriting?: boolean
  failpoint?: Failpoint
  mongodbUri?: string
}

/** Nobody waits between requests: what each source bears is tested where its limits are kept. */
const LIMITS = { requests: 10_000, withinMs: 1_000, open: 8 }
const WAIT = { timeout: 60_000, interval: 20 }
// A wait for the writer fails with the awaited condition.

const newDecider = () => ({ userId: new ObjectId(), userName: 'carol' })

/** A service whose writer runs, with stand-ins for all sources, an image host and an admin's socket. */
export async function startWriterScene(options: SceneOptions = {}): Promise<WriterScene> {
  const { without = [], batchLimits = {}, transport = {}, isWriting = true, failpoint, mongodbUri } = options
  const [igdb, vndb, hltb, ra, imageHost] = await Promise.all([
    startIgdbStandIn({ perWindow: 10_000 }),
    startVndbStandIn(),
    startHltbStandIn(),
    startRaStandIn(),
    startImageHost(),
  ])
  const switchable = { igdb, hltb, ra }
  const switchedOn = (['igdb', 'hltb', 'ra'] as const).filter((name) => !without.includes(name))
  const env = {
    ...vndb.env,
    ...Object.assign({}, ...switchedOn.map((name) => switchable[name].env)),
    IGDB_IMAGES_URL: imageHost.link('png'),
    IMAGE_FETCH_ALLOW: imageHost.place,
  }
  const timing = createSkippingTiming()
  const sources = createSources({
    config: readConfig({ ...env }),
    log: createLogger('silent'),
    limits: LIMITS,
    timing,
    ...transport,
  })
  const service = await startService({
    env,
    sources,
    isWriting,
    batchLimits: { pollMs: 50, imagesMs: 60_000, ...batchLimits },
    ...(failpoint && { failpoint }),
    ...(mongodbUri !== undefined && { mongodbUri }),
  })
  const admin = await service.caller({ userName: 'carol', isAdmin: true })
  const tab = await watchConflicts(service, admin)

  const read: WriterScene['read'] = async ({ _id }) => {
    const record = await service.db.conflicts.findOne({ _id })
    if (record === null) throw new Error(`there is no conflict ${_id}`)
    return record
  }
  const told: WriterScene['told'] = async ({ source, externalId }) => {
    const events = await tab.seen()
    return events.flatMap(({ event, payload }) => {
      // The shapes of both events in the namespace's contract.
      const about = payload as { source: string; externalId?: string; externalIds?: string[]; state?: string }
      if (about.source !== source) return []
      if (event === 'conflict:decided') return about.externalId === externalId ? [String(about.state)] : []
      return (about.externalIds ?? []).filter((id) => id === externalId).map(() => 'applied')
    })
  }

  return {
    service,
    admin,
    igdb,
    vndb,
    hltb,
    ra,
    imageHost,
    read,
    told,
    queue: (facts) => insertConflict(service.db, { decision: 'match', decidedBy: newDecider(), ...facts }),
    async queueSkips(source, ids) {
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
    async game(id) {
      const game = id && (await service.db.games.findOne({ _id: id }))
      if (!game) throw new Error(`there is no game ${id}`)
      return game
    },
    settled: (record) =>
      vi.waitFor(async () => {
        const now = await read(record)
        expect(now.status !== 'pending' || now.decision === null).toBe(true)
        return now
      }, WAIT),
    announced: (record) => vi.waitFor(async () => expect((await told(record)).at(-1)).toBe('applied'), WAIT),
    letPass: (ms) => timing.wait(ms),
    objects: (folder, entity) => readdir(`${filesFolder(service.deps.config)}/${folder}/${entity}`).catch(() => []),
    async close() {
      tab.close()
      await service.close()
      await Promise.all([igdb, vndb, hltb, ra, imageHost].map((server) => server.close()))
    },
  }
}
