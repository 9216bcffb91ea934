import { readFreeBytes } from '../../base/system/free-bytes.ts'
import { countBySource } from '../conflicts/conflict-counts.ts'
import { QUEUED } from '../conflicts/states.ts'
import { checkReady } from './check-ready.ts'
import type { OperationsDeps } from './deps.ts'

type Deps = Pick<OperationsDeps, 'config' | 'conflictCounts' | 'db' | 'draining' | 'feed' | 'metrics'>

/** Adds the metrics that are read for each scrape. */
export function addGauges({ config, conflictCounts, db, draining, feed, metrics }: Deps): void {
  const ready = { name: 'gamehall_ready', help: '1 while /readyz answers 200', otherwise: 0 }
  metrics.addGauge(ready, async () => {
    await checkReady({ db, draining })
    return 1
  })
  const live = { name: 'gamehall_feed_live', help: '1 while the change stream is read' }
  metrics.addGauge(live, async () => Number(feed.isLive()))
  const lag = { name: 'gamehall_feed_lag_seconds', help: 'Age of the writes up to which all were delivered' }
  metrics.addGauge(lag, async () => feed.lagMs() / 1_000)
  const free = { name: 'gamehall_data_dir_free_bytes', help: 'Bytes that DATA_DIR still takes, once it exists' }
  metrics.addGauge(free, () => readFreeBytes(config.dataDir))
  const pool = {
    name: 'gamehall_database_pool',
    help: 'Connections to the database, open and in use, and commands that wait for one',
    label: 'state',
  }
  metrics.addGauge(pool, async () => ({ open: db.pool.open, in_use: db.pool.inUse, waiting: db.pool.waiting }))
  const queued = {
    name: 'gamehall_conflicts_queued',
    help: 'Decisions of conflicts that wait for the background writer; absent while they cannot be counted',
    label: 'source',
  }
  metrics.addGauge(queued, () => countBySource(conflictCounts, QUEUED))
}
