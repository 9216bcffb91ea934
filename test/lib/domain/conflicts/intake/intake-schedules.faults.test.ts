import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { readConfig } from '#lib/base/config'
import { DomainError } from '#lib/base/errors'
import type { EntryInput } from '#lib/contract/entries'
import { createDeps } from '#lib/create-deps'
import type { Deps } from '#lib/deps'
import { buildGameKeys } from '#lib/domain/catalogue/games/insert-game'
import { decideConflict } from '#lib/domain/conflicts/decide-conflict'
import { takeEntries } from '#lib/domain/conflicts/intake/take-entries'
import { reopenConflict } from '#lib/domain/conflicts/reopen-conflict'
import { applyBatch } from '#lib/domain/conflicts/writer/apply-batch'
import { findDecisions } from '#lib/domain/conflicts/writer/find-decisions'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { createPace } from '#lib/infrastructure/jobs/pace'
import { createLogger } from '#lib/infrastructure/observability/log'
import { useDatabase } from '../../../../support/service/use-database.ts'
import { runSchedules } from '../../../../support/tools/random.ts'

const SCHEDULES = 1_000
const STEPS = 5
const ID = '77'
const KEY = { source: 'igdb', externalId: ID } as const
const NAME = 'Moonlit Cartographer'
const gameId = new ObjectId()
const GAME = { _id: gameId, name: NAME, slug: 'moonlit', first_release: Date.UTC(1999, 2, 3) / 1_000 }
const COMPANIES = [{ name: 'North Pier', developer: true }]

/** The entry as a parser sends it: twice it is plainly the game, once it has no maker. */
const PLAIN = { id: ID, name: NAME, released: '1999-03-03', developers: ['North Pier'] } satisfies EntryInput
const ENTRIES: readonly EntryInput[] = [
  PLAIN,
  { ...PLAIN, description: 'A later text.' },
  { id: ID, name: NAME, released: '1999-03-03' },
]
const isPlain = (version: number) => version < 2

/** The state that the stored record and its game stand for. */
interface State {
  state: 'none' | 'waiting' | 'queued-match' | 'queued-new' | 'matched' | 'new-game'
  by: 'nobody' | 'matcher' | 'admin'
  version: number | null
  isReopened: boolean
  isRefresh: boolean
  isLinked: boolean
}
type Action = { name: 'list'; version: number } | { name: 'match' | 'skip' | 'reopen' | 'write' }
interface Move {
  state: State
  answer: string
}

const NONE: State = {
  state: 'none',
  by: 'nobody',
  version: null,
  isReopened: false,
  isRefresh: false,
  isLinked: false,
}

function takeList(before: State, version: number): Move {
  const { state, by, isRefresh, isReopened, isLinked } = before
  if (state.startsWith('queued') && by === 'admin' && !isRefresh) return { state: before, answer: 'decided' }
  if (before.version === version) return { state: before, answer: 'unchanged' }
  const isTarget = isLinked || state === 'matched' || state === 'new-game' || isRefresh
  if (isTarget && !(state === 'waiting' && isReopened)) {
    return { state: { ...before, state: 'queued-match', version, isRefresh: true }, answer: 'refreshed' }
  }
  const taken = { ...before, version, isRefresh: false }
  return isPlain(version) && !isReopened
    ? { state: { ...taken, state: 'queued-match', by: 'matcher' }, answer: 'matched' }
    : { state: { ...taken, state: 'waiting', by: 'nobody' }, answer: 'waiting' }
}

/** The reference: what an action does where nothing happens beside it. */
function move(before: State, action: Action): Move {
  const { state, by } = before
  const refused = (answer: string) => ({ state: before, answer })
  switch (action.name) {
    case 'list':
      return takeList(before, action.version)
    case 'match':
    case 'skip': {
      if (state !== 'waiting') return refused(state === 'none' ? 'NOT_FOUND' : 'CONFLICT')
      const queued = action.name === 'match' ? 'queued-match' : 'queued-new'
      return { state: { ...before, state: queued, by: 'admin' }, answer: 'done' }
    }
    case 'reopen': {
      const waiting = { ...before, state: 'waiting', by: 'nobody', isReopened: true } as const
      if (state === 'new-game') return { state: waiting, answer: 'done' }
      if (state === 'matched' && by === 'matcher') return { state: { ...waiting, isLinked: false }, answer: 'done' }
      return refused(state === 'none' ? 'NOT_FOUND' : 'CONFLICT')
    }
    case 'write': {
      if (!state.startsWith('queued')) return refused('done')
      const written = state === 'queued-match' ? 'matched' : 'new-game'
      return { state: { ...before, state: written, isRefresh: false, isLinked: true }, answer: 'done' }
    }
  }
}

/** Thrown where a process would die: what was begun is done or not, and nobody has its answer. */
class Killed extends Error {}
let killAfter = Number.POSITIVE_INFINITY
const failpoint = async (step: string) => {
  if (!step.startsWith('writer:') && killAfter-- <= 0) throw new Killed()
}

const { db } = await useDatabase()
/** An instance without its server, and without its feed: nothing is read from caches. */
const createInstance = () =>
  createDeps({
    config: readConfig({}),
    jwtSecret: '',
    log: createLogger('silent'),
    db,
    failpoint,
    pace: createPace(db, { factor: 0, longestMs: 0 }),
  })
const [one, two] = [createInstance(), createInstance()]
const actor = { user: { _id: new ObjectId(), userName: 'carol', isAdmin: true } }
const asAdmin = actor as unknown as Parameters<typeof decideConflict>[1]
const batchWriter = { wake: () => undefined }
const lease = { isHeld: () => true, prolong: async () => true }
const NEVER = AbortSignal.any([])
const LIMITS = { workMs: 10_000, imagesMs: 10_000, stopping: NEVER, signal: NEVER }

async function write(deps: Deps): Promise<string> {
  const batch = await findDecisions(deps, { source: 'igdb', size: 10 })
  for await (const _ of applyBatch(deps, { source: 'igdb', batch, lease, ...LIMITS }));
  return 'done'
}

async function carryOut(instance: Deps, action: Action): Promise<string> {
  const deps = { ...instance, batchWriter: { ...instance.batchWriter, ...batchWriter } }
  switch (action.name) {
    case 'list': {
      const entries = [ENTRIES[action.version]]
      const [result] = await takeEntries(deps, { source: 'igdb', entries }, { syncNew: 'conflicts' })
      return result?.outcome ?? 'nothing'
    }
    case 'match':
    case 'skip': {
      const choice = { gameId: action.name === 'match' ? gameId.toHexString() : null }
      await decideConflict(deps, asAdmin, { ...KEY, choice })
      return 'done'
    }
    case 'reopen':
      await reopenConflict(deps, asAdmin, KEY)
      return 'done'
    case 'write':
      return await write(deps)
  }
}

const act = (deps: Deps, action: Action) =>
  carryOut(deps, action).catch((error: unknown) => {
    if (error instanceof Killed) return 'killed'
    if (error instanceof DomainError) return error.code
    throw error
  })

const hashes = new Map<string, number>()
async function readState(): Promise<State> {
  const [record, linked] = await Promise.all([
    db.conflicts.findOne(KEY),
    db.games.countDocuments({ 'igdb.gameId': Number(ID) }),
  ])
  expect(linked).toBeLessThanOrEqual(1)
  if (record === null) return NONE
  const { status, decision, isAutomatic, decidedBy, entryHash, reopenedBy, isRefresh }: ConflictDocument = record
  const queued = decision === 'match' ? 'queued-match' : decision === 'skip' ? 'queued-new' : 'waiting'
  return {
    state: status === 'resolved' ? 'matched' : status === 'absent' ? 'new-game' : queued,
    by: isAutomatic ? 'matcher' : decidedBy ? 'admin' : 'nobody',
    version: hashes.get(entryHash ?? '') ?? null,
    isReopened: reopenedBy !== undefined,
    isRefresh: isRefresh === true,
    isLinked: linked === 1,
  }
}

async function clear() {
  await Promise.all([db.conflicts.deleteMany({}), db.games.deleteMany({})])
  await db.games.insertOne({
    ...GAME,
    companies: COMPANIES,
    ...buildGameKeys({ ...GAME, companies: COMPANIES }),
    createdAt: new Date(),
    updatedAt: new Date(),
  })
}

/** All that may have happened when actions ran side by side: each order, and for a killed one also nothing. */
function* outcomesOf(
  before: State,
  acted: readonly { action: Action; answer: string }[],
  isBeside = acted.length > 1,
): Generator<State> {
  const [first, second] = acted
  if (first === undefined) yield before
  const orders = second === undefined ? [acted] : [acted, [...acted].reverse()]
  for (const [{ action, answer } = { action: { name: 'write' } as const, answer: '' }, ...rest] of orders) {
    if (first === undefined) return
    const next = move(before, action)
    if (answer === 'killed' || answer === next.answer) yield* outcomesOf(next.state, rest, isBeside)
    // A batch may have been found before what runs beside it.
    if (answer === 'killed' || (isBeside && action.name === 'write')) yield* outcomesOf(before, rest, isBeside)
  }
}

test('1,000 schedules of lists, decisions, kills and two instances: each is one of the orders of the reference', async () => {
  for (const [version, entry] of ENTRIES.entries()) {
    await clear()
    await takeEntries(one, { source: 'igdb', entries: [entry] }, { syncNew: 'conflicts' })
    hashes.set((await db.conflicts.findOne(KEY))?.entryHash ?? '', version)
  }
  const seen = new Set<string>()
  await runSchedules({ count: SCHEDULES, choices: STEPS * 8 }, async (random) => {
    const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]
    const draw = (): Action => {
      const name = pick(['list', 'list', 'match', 'skip', 'reopen', 'write', 'write'] as const)
      return name === 'list' ? { name, version: pick([0, 1, 2]) } : { name }
    }
    await clear()
    let state = NONE
    const story: string[] = []
    for (let step = 0; step < STEPS; step++) {
      const actions = random() < 0.4 ? [draw(), draw()] : [draw()]
      killAfter = random() < 0.2 ? Math.floor(random() * 4) : Number.POSITIVE_INFINITY
      const acted = await Promise.all(
        actions.map(async (action, index) => {
          return { action, answer: await act(index === 0 ? one : two, action) }
        }),
      )
      killAfter = Number.POSITIVE_INFINITY
      story.push(JSON.stringify(acted))
      const actual = await readState()
      const possible = [...outcomesOf(state, acted)]
      expect(possible, story.join('\n')).toContainEqual(actual)
      for (const { action, answer } of acted) seen.add(`${action.name} ${answer}`)
      state = actual
    }
    // The same list again changes nothing. One schedule of four shows it often enough.
    if (random() < 0.75) return
    const version = pick([0, 1, 2])
    await act(one, { name: 'list', version })
    const stored = await db.conflicts.findOne(KEY)
    expect(['unchanged', 'decided']).toContain(await act(two, { name: 'list', version }))
    expect(await db.conflicts.findOne(KEY)).toEqual(stored)
  })
  const OUTCOMES = ['matched', 'waiting', 'refreshed', 'unchanged', 'decided', 'killed']
  expect([...seen]).toEqual(expect.arrayContaining(OUTCOMES.map((outcome) => `list ${outcome}`)))
}, 300_000)
