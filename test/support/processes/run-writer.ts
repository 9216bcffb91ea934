import { writeSync } from 'node:fs'
import { readConfig } from '#lib/base/config'
import { createDeps } from '#lib/create-deps'
import { type BatchLimits, createBatchWriter } from '#lib/domain/conflicts/writer/batch-writer'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createSources } from '#lib/infrastructure/sources/sources'

/** The step of the writer at which its process ends or stops. */
export interface FatalStep {
  step: `writer:${string}`
  /** Counted from 1: the decision that comes to the step as the n-th. */
  nth: number
  signal: 'SIGKILL' | 'SIGSTOP'
}

export interface WriterProgram {
  uri: string
  limits: Partial<BatchLimits>
  fatal?: FatalStep
}

// A process that runs the background writer as its one argument says. It prints `applied <json>` for each batch and
// `there` when it has come to its fatal step; SIGTERM stops it.
const { uri, limits, fatal }: WriterProgram = JSON.parse(process.argv[2] ?? '')
const say = (line: string) => writeSync(1, `${line}\n`)

let arrivals = 0
async function failpoint(step: string): Promise<void> {
  if (fatal === undefined || step !== fatal.step) return
  arrivals += 1
  if (arrivals !== fatal.nth) return
  say('there')
  process.kill(process.pid, fatal.signal)
}

const config = readConfig({ ...process.env, PORT: '0' })
const log = createLogger('silent')
const deps = createDeps({
  config,
  log,
  jwtSecret: 'a secret of at least thirty-two characters',
  db: openDatabase(uri),
  failpoint,
  sources: createSources({ config, log, limits: { requests: 10_000, withinMs: 1_000, open: 8 } }),
})
const conflicts: typeof deps.emit.conflicts = {
  ...deps.emit.conflicts,
  applied(source, entries) {
    const externalIds = entries.map(({ externalId }) => externalId)
    say(`applied ${JSON.stringify({ source, externalIds })}`)
  },
}
const writer = createBatchWriter({ ...deps, emit: { ...deps.emit, conflicts } }, limits)
process.once('SIGTERM', async () => {
  await writer.stop()
  process.exit(0)
})
writer.start()
say('started')
