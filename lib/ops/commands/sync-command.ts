import { StartError } from '../../base/errors.ts'
import { SOURCE_TITLES } from '../../contract/sources.ts'
import { SyncSource } from '../../contract/sync.ts'
import type { WalkDeps } from '../../domain/sync/deps.ts'
import { beginWalk, countEntries, leaseOf, NO_COUNTS, runWalk } from '../../domain/sync/run-walk.ts'
import { type TakenEntry, walkPages } from '../../domain/sync/walk-pages.ts'
import { SYNC_TIMEOUTS } from '../../infrastructure/concurrency/timeouts.ts'
import type { SyncCount } from '../../infrastructure/db/collections/syncs.ts'
import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { acquireLease } from '../../infrastructure/db/lease.ts'
import { createInstanceId } from '../../infrastructure/events/sent-by.ts'
import { createPace } from '../../infrastructure/jobs/pace.ts'
import { createSources } from '../../infrastructure/sources/sources.ts'
import { createQuietIntake } from '../quiet-intake.ts'
import { runCommand } from './run-command.ts'

const SAMPLES = 20
const BAR_WIDTH = 24
const SHOWN = ['read', 'matched', 'new', 'waiting', 'refreshed'] as const

type Counts = Record<SyncCount, number>
// The keys of a constant object are known.
const COUNTS = Object.keys(NO_COUNTS) as SyncCount[]

interface Input {
  source: SyncSource
  since: Date | undefined
  limit: number | undefined
  isDryRun: boolean
}

interface Walk extends Omit<Input, 'since' | 'isDryRun'> {
  deps: WalkDeps
  /** Where the walk begins; undefined where the last one ended. */
  start: string | undefined
  stopping: AbortSignal
  show(counts: Counts): void
}

function findStart({ sources }: WalkDeps, { source, since }: Input): string | undefined {
  const { readPage, cursorSince } = sources[source]
  const title = SOURCE_TITLES[source]
  if (readPage === undefined) throw new StartError(`${title} is not configured`)
  if (since === undefined) return undefined
  if (cursorSince === undefined) throw new StartError(`${title} is always read as a whole, so leave out --since`)
  return cursorSince(since)
}

/** Describes a walk in one line. The bar begins again and again without a limit, because nobody knows how much there is. */
function createDescription({ source, limit }: Input) {
  const startedAt = performance.now()
  let first: number | undefined
  let steps = 0

  return (counts: Counts): string => {
    // A continued walk has the counts of its earlier runs.
    first ??= counts.read
    steps += 1
    const read = counts.read - first
    const done = limit === undefined ? steps % BAR_WIDTH : Math.min(BAR_WIDTH, (BAR_WIDTH * read) / limit)
    const perSecond = Math.round((1_000 * read) / Math.max(1, performance.now() - startedAt))
    const words = [...SHOWN.map((name) => `${counts[name]} ${name}`), `${perSecond} a second`]
    return `${SOURCE_TITLES[source]} [${'#'.repeat(done).padEnd(BAR_WIDTH, '-')}] ${words.join(', ')}`
  }
}

/** Reads a source and writes nothing. Returns the counts, and lines with the first entries of every outcome. */
async function walkDry({ deps, start, show, ...options }: Walk): Promise<{ counts: Counts; lines: string[] }> {
  const counts = { ...NO_COUNTS }
  const samples = new Map<string, TakenEntry[]>()
  const cursor = start ?? (await deps.db.syncs.findOne({ _id: options.source }))?.cursor ?? null
  const { syncNew } = deps.config
  // A page in work ends: it writes nothing.
  const signal = new AbortController().signal

  for await (const step of walkPages(deps, { ...options, cursor, syncNew, isDryRun: true, signal })) {
    if (step.kind === 'pause') continue
    const added = countEntries(step.entries)
    for (const name of COUNTS) counts[name] += added[name]
    for (const entry of step.entries)
      samples.set(entry.outcome, [...(samples.get(entry.outcome) ?? []), entry].slice(0, SAMPLES))
    show(counts)
  }
  const lines = [...samples].flatMap(([outcome, entries]) => [
    `${outcome}, the first ${entries.length}:`,
    ...entries.map(({ id, name, reason, message }) => ['  ', id, name, reason, message].filter(Boolean).join('  ')),
    '',
  ])
  return { counts, lines }
}

async function walk({ deps, start, show, ...options }: Walk): Promise<{ counts: Counts; lines: string[] }> {
  const { source } = options
  const lease = await acquireLease(deps.db.leases, { id: leaseOf(source), lastsMs: SYNC_TIMEOUTS.leaseMs })
  if (lease === null) {
    const reader = (await deps.db.syncs.findOne({ _id: source }))?.reader ?? 'another process'
    throw new StartError(`${SOURCE_TITLES[source]} is being read by ${reader}`)
  }
  try {
    await beginWalk(deps, source, start)
    const walked = await runWalk(deps, { ...options, signal: lease.lost, onStep: show })
    const isInterrupted = walked?.state === 'running'
    const lines = [walked?.message, isInterrupted && 'The walk is interrupted: the next one goes on there']
    return { counts: walked ?? NO_COUNTS, lines: lines.filter((line) => typeof line === 'string') }
  } finally {
    await lease.release()
  }
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

await runCommand({
  usage: `npm run sync -- <${SyncSource.options.join('|')}> [--since 2026-01-01] [--limit n] [--dry-run]`,
  options: { since: { type: 'string' }, limit: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  database: { mustExist: false },

  read({ words: [word, ...others], values: { since, limit, 'dry-run': isDryRun = false } }): Input | null {
    const { data: source } = SyncSource.safeParse(word)
    if (source === undefined || others.length > 0) return null
    if ((since !== undefined && !isDay(since)) || !/^[1-9]\d{0,8}$/.test(limit ?? '1')) return null
    return { source, since: since ? new Date(since) : undefined, limit: limit ? Number(limit) : undefined, isDryRun }
  },

  async run({ config, db, log, uri, clock, show }, input) {
    const { source, limit, isDryRun } = input
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
    if (!isDryRun) await prepareDatabase(uri, { print: (line) => console.error(line) })
    db.onUnreadable((document) => log.warn(document, 'stored document cannot be read, left out'))
    const sources = createSources({ config, log, clock })
    const intake = createQuietIntake({ db, instance: createInstanceId(), pace: createPace(db) })
    const deps = { ...intake, config, clock, sources }
    const describe = createDescription(input)
    const walked = { deps, source, limit, start: findStart(deps, input), stopping: stopping.signal }
    const { counts, lines } = await (isDryRun ? walkDry : walk)({
      ...walked,
      show: (counts) => show(() => describe(counts)),
    })
    const table = COUNTS.map((name) => `${name.padEnd(10)}${String(counts[name]).padStart(9)}`)
    const note = isDryRun ? 'Nothing was written' : 'The service writes what was matched, as long as it runs.'
    return [...lines, ...table, '', note].join('\n')
  },
})
