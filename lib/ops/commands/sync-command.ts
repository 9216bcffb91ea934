import { parseArgs } from 'node:util'
import { StartError } from '../../base/errors.ts'
import { SOURCE_TITLES } from '../../contract/sources.ts'
import { SyncSource } from '../../contract/sync.ts'
import { createDeps } from '../../create-deps.ts'
import type { SyncDeps } from '../../domain/sync/deps.ts'
import { beginWalk, countEntries, leaseOf, NO_COUNTS, runWalk } from '../../domain/sync/run-walk.ts'
import { type TakenEntry, walkPages } from '../../domain/sync/walk-pages.ts'
import { SYNC_TIMEOUTS } from '../../infrastructure/concurrency/timeouts.ts'
import type { SyncCount } from '../../infrastructure/db/collections/syncs.ts'
import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { acquireLease } from '../../infrastructure/db/lease.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { openCommandDatabase } from './command-database.ts'
import { createProgress } from './sync-progress.ts'

const USAGE = `Usage: npm run sync -- <${SyncSource.options.join('|')}> [--since 2026-01-01] [--limit n] [--dry-run]`
const SAMPLES = 20

interface Input {
  source: SyncSource
  since: Date | undefined
  limit: number | undefined
  isDryRun: boolean
}

function readArguments(): Input {
  const options = { since: { type: 'string' }, limit: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [source, ...others] = positionals.map((word) => SyncSource.parse(word))
    const { since, limit, 'dry-run': isDryRun = false } = values
    const isDay = since === undefined || (/^\d{4}-\d\d-\d\d$/.test(since) && !Number.isNaN(Date.parse(since)))
    if (source !== undefined && others.length === 0 && isDay && /^[1-9]\d{0,8}$/.test(limit ?? '1'))
      return { source, since: since ? new Date(since) : undefined, limit: limit ? Number(limit) : undefined, isDryRun }
  } catch {
    // An unknown option or source. The usage lists the valid ones.
  }
  throw new StartError(USAGE)
}

/** Finds the cursor of `--since`. @throws StartError where the source cannot be read, or not from a time on */
function findStart({ sources }: SyncDeps, { source, since }: Input): string | undefined {
  const { readPage, cursorSince } = sources[source]
  const title = SOURCE_TITLES[source]
  if (readPage === undefined) throw new StartError(`${title} is not configured`)
  if (since === undefined) return undefined
  if (cursorSince === undefined) throw new StartError(`${title} is always read as a whole, so leave out --since`)
  return cursorSince(since)
}

async function refuseHeld({ db }: SyncDeps, source: SyncSource): Promise<never> {
  const reader = (await db.syncs.findOne({ _id: source }))?.reader ?? 'another process'
  throw new StartError(`${SOURCE_TITLES[source]} is being read by ${reader}`)
}

async function runDry(deps: SyncDeps, input: Input, stopping: AbortSignal): Promise<Record<SyncCount, number>> {
  const { source, limit } = input
  const stored = await deps.db.syncs.findOne({ _id: source })
  const cursor = findStart(deps, input) ?? stored?.cursor ?? null
  const show = createProgress(SOURCE_TITLES[source], limit)
  const total = { ...NO_COUNTS }
  const samples = new Map<string, TakenEntry[]>()
  const { syncNew } = deps.config

  const steps = walkPages(deps, { source, syncNew, cursor, limit, isDryRun: true, stopping, signal: stopping })
  for await (const step of steps) {
    if (step.kind === 'pause') continue
    for (const [name, count] of Object.entries(countEntries(step.entries))) total[name as SyncCount] += count
    for (const entry of step.entries)
      samples.set(entry.outcome, [...(samples.get(entry.outcome) ?? []), entry].slice(0, SAMPLES))
    show(total)
  }
  for (const [outcome, entries] of samples) {
    console.log(`\n${outcome}, the first ${entries.length}:`)
    for (const { id, name, reason, message } of entries)
      console.log(['  ', id, name, reason, message].filter((part) => part !== null).join('  '))
  }
  return total
}

async function run(deps: SyncDeps, input: Input, stopping: AbortSignal): Promise<Record<SyncCount, number>> {
  const { source, limit } = input
  const start = findStart(deps, input)
  const lease = await acquireLease(deps.db.leases, { id: leaseOf(source), lastsMs: SYNC_TIMEOUTS.leaseMs })
  if (lease === null) return await refuseHeld(deps, source)
  try {
    await beginWalk(deps, source, start)
    const show = createProgress(SOURCE_TITLES[source], limit)
    const walk = await runWalk(deps, { source, limit, stopping, signal: lease.lost, onStep: show })
    if (walk?.message) console.log(`\n${walk.message}`)
    if (walk?.state === 'running') console.log('\nThe walk is interrupted: the next one goes on there')
    return walk ?? NO_COUNTS
  } finally {
    await lease.release()
  }
}

try {
  const input = readArguments()
  const { db, config, uri, close } = await openCommandDatabase({ mustExist: false })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  try {
    await prepareDatabase(uri, { print: (line) => console.error(line) })
    // No session is signed here.
    const deps = createDeps({ config, jwtSecret: '', log: createLogger('warn', process.stderr), db })
    const counts = await (input.isDryRun ? runDry : run)(deps, input, stopping.signal)
    console.log('')
    for (const name of Object.keys(NO_COUNTS))
      console.log(`${name.padEnd(10)}${String(counts[name as SyncCount]).padStart(9)}`)
    if (!input.isDryRun) console.log('\nThe service writes what was matched, as long as it runs.')
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
