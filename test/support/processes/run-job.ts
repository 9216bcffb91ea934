import { writeSync } from 'node:fs'
import { readConfig } from '#lib/base/config'
import { createDeps } from '#lib/create-deps'
import { type BatchLimits, createBatchWriter } from '#lib/domain/conflicts/writer/batch-writer'
import type { SyncLimits } from '#lib/domain/sync/source-syncs'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createSources } from '#lib/infrastructure/sources/sources'

/** The step at which a process ends or stops, when it arrives there for the n-th time, counted from 1. */
export interface FatalStep {
  step: string
  nth: number
  signal: 'SIGKILL' | 'SIGSTOP'
}

/** The background writer of decisions, or the reading of the sources of `SYNC`. */
export interface JobProgram {
  uri: string
  fatal?: FatalStep
  batchLimits?: Partial<BatchLimits>
  syncLimits?: Partial<SyncLimits>
}

// This process runs one of these jobs, as its argument says. It prints `started`, `applied <json>` for each batch, and
// `there` at its fatal step; SIGTERM stops it.
const { uri, batchLimits, syncLimits, fatal }: JobProgram = JSON.parse(process.argv[2] ?? '')
const say = (line: string) => writeSync(1, `${line}\n`)

let arrivals = 0
async function failpoint(step: string): Promise<void> {
  if (step !== fatal?.step) return
  arrivals += 1
  if (arrivals !== fatal.nth) return
  say('there')
  process.kill(process.pid, fatal.signal)
  // The signal may arrive a moment later.
  if (fatal.signal === 'SIGKILL') await new Promise(() => {})
}

const config = readConfig({ ...process.env, PORT: '0' })
const log = createLogger('warn', process.stderr)
const deps = createDeps({
  config,
  log,
  jwtSecret: 'a secret of at least thirty-two characters',
  db: openDatabase(uri),
  failpoint,
  sources: createSources({ config, log, limits: { requests: 10_000, withinMs: 1, open: 8 } }),
  ...(syncLimits && { syncLimits }),
})
const conflicts: typeof deps.emit.conflicts = {
  ...deps.emit.conflicts,
  applied(source, entries) {
    const externalIds = entries.map(({ externalId }) => externalId)
    say(`applied ${JSON.stringify({ source, externalIds })}`)
  },
}
const job = batchLimits
  ? createBatchWriter({ ...deps, emit: { ...deps.emit, conflicts } }, batchLimits)
  : deps.sourceSyncs
process.once('SIGTERM', async () => {
  await job.stop()
  process.exit(0)
})
job.start()
say('started')
