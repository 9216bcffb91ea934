import { expect, vi } from 'vitest'
import type { SyncSource } from '#lib/contract/sync'
import type { SyncDocument } from '#lib/infrastructure/db/collections/syncs'
import type { TransportOptions } from '#lib/infrastructure/sources/transport/client'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService } from '../service/start-service.ts'
import { createFastSources } from '../stand-ins/fast-sources.ts'
import { startIgdbStandIn } from '../stand-ins/igdb.ts'
import { startRaStandIn } from '../stand-ins/retroachievements.ts'
import { startVndbStandIn } from '../stand-ins/vndb.ts'
import { createStrikes } from './strikes.ts'

const SYNC_LIMITS = { pollMs: 50, leaseMs: 2_000, graceMs: 1_000, pauseMs: 50 }
const WAIT = { timeout: 60_000, interval: 20 }

interface SceneOptions {
  sync?: string
  env?: Record<string, string>
  limits?: TransportOptions['limits']
  clock?: () => Date
  start?: typeof startService
}

/** Starts a service that walks stand-ins. It makes no games of entries without a link unless `SYNC_NEW` says so. */
async function startSyncScene({
  sync = 'vndb',
  env: more = {},
  limits,
  clock,
  start = startService,
}: SceneOptions = {}) {
  const [igdb, vndb, ra] = await Promise.all([
    startIgdbStandIn({ perWindow: 10_000 }),
    startVndbStandIn(),
    startRaStandIn(),
  ])
  const env = { ...igdb.env, ...vndb.env, ...ra.env, SYNC: sync, SYNC_NEW: 'linked', ...more }
  const { failpoint, strikeAt } = createStrikes()
  const createOwnSources = () =>
    createFastSources(env, { ...(limits && { limits }), retryMs: 1, circuit: { openMs: 200 } })
  const options = { env, failpoint, syncLimits: SYNC_LIMITS, ...(clock && { clock }) }
  const service = await start({ ...options, sources: createOwnSources() })
  const admin = await service.caller({ userName: 'carol', isAdmin: true })
  const read = async (source: SyncSource = 'vndb'): Promise<SyncDocument | null> =>
    service.db.syncs.findOne({ _id: source })

  return {
    service,
    admin,
    igdb,
    vndb,
    ra,
    env,
    strikeAt,
    read,
    putNovels(count: number, from = 1) {
      for (let id = from; id < from + count; id += 1) vndb.put({ id: `v${id}`, title: `Quiet Harbour ${id}` })
    },
    /** Waits until a walk of the source has ended, and answers it. */
    ended: (source: SyncSource = 'vndb') =>
      vi.waitFor(async () => {
        const walk = await read(source)
        expect(walk).toMatchObject({ state: 'idle' })
        return walk
      }, WAIT),
    /** Starts another instance on the same database. */
    startAnother: () => startService({ ...options, sources: createOwnSources(), mongodbUri: service.mongodbUri }),
    async close() {
      await service.close()
      await Promise.all([igdb, vndb, ra].map((server) => server.close()))
    },
  }
}

export const useSyncScene = closeAtEnd(startSyncScene)
