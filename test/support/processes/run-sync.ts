import { writeSync } from 'node:fs'
import { readConfig } from '#lib/base/config'
import { createDeps } from '#lib/create-deps'
import type { SyncLimits } from '#lib/domain/sync/source-syncs'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createSources } from '#lib/infrastructure/sources/sources'

export interface SyncProgram {
  uri: string
  syncLimits: Partial<SyncLimits>
  /** The process ends when it comes to this step for the n-th time, counted from 1. */
  fatal?: { step: string; nth: number }
}

// A process that reads the sources of `SYNC`, as its one argument says. It prints `started`; SIGTERM stops it.
const { uri, syncLimits, fatal }: SyncProgram = JSON.parse(process.argv[2] ?? '')

let arrivals = 0
async function failpoint(step: string): Promise<void> {
  if (step !== fatal?.step) return
  arrivals += 1
  if (arrivals !== fatal.nth) return
  process.kill(process.pid, 'SIGKILL')
  // The signal may arrive a moment later.
  await new Promise(() => {})
}

const config = readConfig({ ...process.env, PORT: '0' })
const log = createLogger('warn', process.stderr)
const { sourceSyncs } = createDeps({
  config,
  log,
  jwtSecret: 'a secret of at least thirty-two characters',
  db: openDatabase(uri),
  failpoint,
  sources: createSources({ config, log, limits: { requests: 10_000, withinMs: 1, open: 8 } }),
  syncLimits,
})
process.once('SIGTERM', async () => {
  await sourceSyncs.stop()
  process.exit(0)
})
sourceSyncs.start()
writeSync(1, 'started\n')
