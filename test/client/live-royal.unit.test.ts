import { expect, test } from 'vitest'
import { followRoyal, type LiveRoyal } from '../../lib/client/live-royal.ts'
import { applyOperation, type RoyalOperation } from '../../lib/client/merge-royal.ts'
import type { RoyalAck } from '../../lib/contract/namespaces/royal.ts'
import { runSchedules } from '../support/tools/random.ts'
import { World } from './support/world.ts'

const SCHEDULES = 1_000
const GAMES = Array.from({ length: 9 }, (_, n) => n.toString(16).padStart(24, 'e'))
/** The catalogue lacks it. */
const UNKNOWN = 'f'.repeat(24)

/** The service's list: each change is written, then announced to the other sockets, one after another. */
class RoyalModel {
  private readonly world: World
  list: readonly string[]
  private sent: readonly string[] | null = null

  constructor(world: World) {
    this.world = world
    this.list = GAMES.slice(0, Math.floor(world.random() * 5))
  }

  private next = (operation: RoyalOperation) => applyOperation(this.list, operation).filter((id) => id !== UNKNOWN)

  /** Changes the list in another tab; the event follows later. */
  change(operation: RoyalOperation) {
    this.announce()
    const before = this.list
    this.list = this.next(operation)
    if (before.join() !== this.list.join()) this.sent = this.list
  }

  announce = () => {
    if (this.sent) this.world.emit('royal:changed', { royalGames: this.sent })
    this.sent = null
  }

  answer(operation: RoyalOperation | null): RoyalAck {
    this.announce()
    if (operation && this.world.mayFail && this.world.random() < 0.1) {
      return { ok: false, error: 'Could not update royal games' }
    }
    if (operation) this.list = this.next(operation)
    return { ok: true, royalGames: [...this.list], rejected: [] }
  }

  announcements = () => (this.sent ? [this.announce] : [])
}

function draw(world: World): RoyalOperation {
  const game = () => world.pick([...GAMES, UNKNOWN]) ?? ''
  const gameIds = Array.from({ length: 1 + Math.floor(world.random() * 3) }, game)
  return (
    world.pick<RoyalOperation>([
      { event: 'royal:add', payload: { gameIds, position: world.random() < 0.5 ? 'start' : 'end' } },
      { event: 'royal:remove', payload: { gameIds } },
      { event: 'royal:set', payload: { gameIds } },
      { event: 'royal:move', payload: { gameId: game(), before: world.random() < 0.2 ? null : game() } },
      { event: 'royal:move', payload: { gameId: game(), before: game() } },
    ]) ?? { event: 'royal:set', payload: { gameIds: [] } }
  )
}

function act(store: LiveRoyal, { event, payload }: RoyalOperation): Promise<RoyalAck> {
  if (event === 'royal:add') return store.add(payload.gameIds, payload.position)
  if (event === 'royal:remove') return store.remove(payload.gameIds)
  if (event === 'royal:set') return store.replace(payload.gameIds)
  return store.move(payload.gameId, payload.before)
}

async function runSchedule(random: () => number) {
  const world = new World(random)
  const model = new RoyalModel(world)
  const send = (event: string, payload: object, onAnswer: (ack: never) => void) =>
    // The store sends nothing else than these operations.
    world.ask(() => model.answer(event === 'royal:sync' ? null : ({ event, payload } as RoyalOperation)), onAnswer)
  const store = followRoyal({
    // The model's events and answers are those of the contract.
    socket: { connection: world.connection, on: world.on as never, send: send as never, close: () => {} },
    session: { get: () => ({ status: 'signed-out', user: null }), subscribe: () => () => {} },
    later: world.later,
  })
  const answers: Promise<RoyalAck>[] = []

  for (let n = 0; n < 50; n += 1) {
    const dice = world.random()
    if (dice < 0.2) model.change(draw(world))
    else if (dice < 0.35) {
      const operation = draw(world)
      const before = store.get().games
      answers.push(act(store, operation))
      if (store.get().status !== 'closed') expect(store.get().games).toEqual(applyOperation(before, operation))
    } else if (dice < 0.4) world.toggle()
    else world.pick([...world.steps(), ...model.announcements()])?.()
    await world.settle()
  }
  if (!world.isConnected) world.connect()
  await world.drain(model.announcements)

  expect(store.get()).toEqual({ status: 'ready', isLive: true, games: model.list, isSaving: false })
  // Every change was answered, one way or the other.
  await Promise.all(answers)
  store.close()
}

test(`${SCHEDULES} schedules end with the stored list`, { timeout: 600_000 }, () =>
  runSchedules({ count: SCHEDULES, choices: 500 }, runSchedule),
)
