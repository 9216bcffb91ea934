import { expect, test } from 'vitest'
import { followConflicts } from '../../lib/client/live-conflicts.ts'
import type { ConflictState } from '../../lib/contract/conflicts.ts'
import type { Source } from '../../lib/contract/sources.ts'
import { runSchedules } from '../support/tools/random.ts'
import { World } from './support/world.ts'

const SCHEDULES = 1_000
const SOURCES = ['vndb', 'igdb'] as const

interface Record {
  source: Source
  externalId: string
  state: ConflictState
  decidedBy: string | null
}

const RANK: { [state in ConflictState]: number } = {
  waiting: 0,
  'queued-match': 1,
  'queued-new': 1,
  matched: 2,
  'new-game': 2,
}

/** The service's conflicts: each decision is written, then announced; a batch is written and announced as one. */
class ConflictsModel {
  private readonly world: World
  readonly records: Record[]
  private outbox: (() => void)[] = []

  constructor(world: World) {
    this.world = world
    this.records = Array.from({ length: 3 + Math.floor(world.random() * 5) }, (_, n) => ({
      source: world.pick(SOURCES) ?? 'vndb',
      externalId: `v${n}`,
      state: 'waiting',
      decidedBy: null,
    }))
  }

  private announce(event: string, payload: object) {
    this.outbox.push(() => this.world.emit(event, payload))
  }

  announcements = () => (this.outbox.length > 0 ? [() => void this.outbox.shift()?.()] : [])

  happen() {
    const { world } = this
    if (world.random() < 0.3) {
      const source = world.pick(SOURCES) ?? 'vndb'
      const batch = this.records.filter((other) => other.source === source && other.state.startsWith('queued'))
      for (const record of batch) {
        const isReturned = world.random() < 0.3
        record.state = isReturned ? 'waiting' : record.state === 'queued-match' ? 'matched' : 'new-game'
        if (isReturned) record.decidedBy = null
      }
      const externalIds = batch.map(({ externalId }) => externalId)
      if (batch.length > 0) this.announce('conflicts:applied', { source, externalIds })
      return
    }
    const record = world.pick(this.records)
    if (record?.state === 'waiting') {
      record.state = world.random() < 0.5 ? 'queued-match' : 'queued-new'
      record.decidedBy = world.pick(['carol', 'dora']) ?? null
    } else if (record?.state === 'new-game') {
      record.state = 'waiting'
      record.decidedBy = null
    } else return
    const { source, externalId, state } = record
    this.announce('conflict:decided', { source, externalId, state, decidedBy: record.decidedBy ?? 'carol' })
  }

  private of = (source: string | undefined) =>
    this.records.filter((record) => source === undefined || record.source === source)

  private waiting = (source: string | undefined) => this.of(source).filter(({ state }) => state === 'waiting')

  /** The answers have the fields that the store reads, and those that a decision changes. */
  summary(source: string | undefined) {
    const applying = this.of(source).filter(({ state }) => state.startsWith('queued')).length
    return { pending: this.waiting(source).length, applying, first: this.waiting(source)[0]?.externalId }
  }

  list(source: string | undefined, state?: unknown) {
    return this.of(source)
      .filter((record) => state === undefined || record.state === state)
      .toSorted((a, b) => RANK[a.state] - RANK[b.state])
      .map(({ source, externalId, state }) => ({ source, externalId, state }))
  }

  item(source: string, externalId: string) {
    const record = this.records.find((other) => other.source === source && other.externalId === externalId)
    if (record === undefined) return { item: null }
    const [next] = this.waiting(source)
    return { item: { ...record, remaining: this.waiting(source).length, nextExternalId: next?.externalId ?? null } }
  }
}

function follow(world: World, model: ConflictsModel, source: Source | undefined, take: number) {
  const routes: {
    [route: string]: (input: { query: { [name: string]: never }; params: { [name: string]: string } }) => unknown
  } = {
    'GET /conflicts': ({ query }) => model.summary(query.source),
    'GET /conflicts/list': ({ query: { source, state, page = 1, take = 20 } }) => {
      const rows = model.list(source, state)
      return { results: rows.slice((page - 1) * take, page * take), total: rows.length }
    },
    'GET /conflicts/:source/:externalId': ({ params }) => model.item(params.source ?? '', params.externalId ?? ''),
  }
  const call = (route: string, input: never) =>
    world.http(() => routes[route]?.(input), (input as { signal?: AbortSignal }).signal)
  return followConflicts(
    {
      // The model answers by the names of the routes and events; their types are those of the service.
      call: call as never,
      socket: { connection: world.connection, on: world.on as never, close: () => {} },
      session: { get: () => ({ status: 'signed-out', user: null }), subscribe: () => () => {} },
      later: world.later,
    },
    source,
    { take },
  )
}

async function runSchedule(random: () => number) {
  const world = new World(random)
  const model = new ConflictsModel(world)
  const source = world.pick([undefined, ...SOURCES])
  const take = 1 + Math.floor(world.random() * 3)
  const store = follow(world, model, source, take)
  let page = 1
  let state: ConflictState | undefined
  let opened: Record | undefined

  for (let n = 0; n < 45; n += 1) {
    const dice = world.random()
    if (dice < 0.2) model.happen()
    else if (dice < 0.25) world.toggle()
    else if (dice < 0.31) {
      state = world.pick([undefined, 'waiting', 'queued-match'] as const)
      page = 1 + Math.floor(world.random() * 3)
      store.filter({ ...(state && { state }), page })
    } else if (dice < 0.36) {
      opened = world.pick(model.records)
      store.open(opened ?? null)
    } else world.pick([...world.steps(), ...model.announcements()])?.()
    await world.settle()
  }
  if (!world.isConnected) world.connect()
  await world.drain(model.announcements)

  const shown = store.get()
  const fresh = model.list(source, state)
  expect(shown).toMatchObject({ status: 'ready', isLive: true, error: null, total: fresh.length })
  expect(shown.summary).toEqual(model.summary(source))
  expect(shown.rows).toEqual(fresh.slice((page - 1) * take, page * take))
  expect(shown.item).toEqual(opened ? model.item(opened.source, opened.externalId).item : null)
  store.close()
}

test(`${SCHEDULES} schedules end with what a fresh read shows`, { timeout: 600_000 }, () =>
  runSchedules({ count: SCHEDULES, choices: 500 }, runSchedule),
)

test('the list is read where no socket comes', async () => {
  const world = new World(() => 0)
  const model = new ConflictsModel(world)
  const store = follow(world, model, undefined, 20)
  await world.drain()
  expect(store.get()).toMatchObject({ status: 'ready', isLive: false, rows: model.list(undefined) })
  store.close()
})
