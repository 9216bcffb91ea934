import fc from 'fast-check'
import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { RoyalChanged } from '#lib/contract/namespaces/royal'
import {
  addRoyalGames,
  loadRoyalGames,
  moveRoyalGame,
  type RoyalList,
  removeRoyalGames,
  setRoyalGames,
} from '#lib/domain/royal/royal-list'
import { LONG_AGO, unknownGame, useRoyalScene } from '../../../support/scenes/royal-scene.ts'

const LIMIT = 500

const scene = await useRoyalScene({ gamesCount: 620 })

const existing = new Set(scene.games)
/** Ids of no catalogue; a list may hold some all the same, of games that left it. */
const strangers = Array.from({ length: 62 }, unknownGame)

const VERBS = ['add', 'move', 'remove', 'set'] as const
interface Operation {
  verb: (typeof VERBS)[number]
  gameIds: string[]
  position: 'start' | 'end'
  before: string | null
}

/** The contract of an operation, on plain arrays. */
function model(list: readonly string[], operation: Operation): RoyalList & { isChanged: boolean } {
  const { verb, gameIds, position, before } = operation
  const requested = [...new Set(verb === 'move' ? gameIds.slice(0, 1) : gameIds)]
  let next: readonly string[]
  if (verb === 'move') {
    const [id = ''] = requested
    const rest = list.filter((each) => each !== id)
    const at = before !== null && rest.includes(before) ? rest.indexOf(before) : rest.length
    next = list.includes(id) && id !== before ? rest.toSpliced(at, 0, id) : list
  } else if (verb === 'remove') {
    next = list.filter((id) => !gameIds.includes(id))
  } else if (verb === 'set') {
    next = requested.filter((id) => existing.has(id) || list.includes(id))
  } else {
    const fresh = requested.filter((id) => existing.has(id) && !list.includes(id)).slice(0, LIMIT - list.length)
    next = position === 'start' ? [...fresh, ...list] : [...list, ...fresh]
  }
  return {
    royalGames: [...next],
    rejected: verb === 'remove' ? [] : requested.filter((id) => !next.includes(id)),
    isChanged: next.join() !== list.join(),
  }
}

const toOwner = (userId: string) => ({ user: { _id: new ObjectId(userId) } })

/** Changes a list; the answer comes with the lists that were sent to the other sockets. */
async function change(userId: string, { verb, gameIds, position, before }: Operation) {
  const sent: string[][] = []
  const royal = { ...scene.emit.royal, changed: (_id: string, event: RoyalChanged) => sent.push(event.royalGames) }
  const deps = { ...scene, emit: { ...scene.emit, royal } }
  const owner = toOwner(userId)
  const answer = (): Promise<RoyalList> => {
    if (verb === 'move') return moveRoyalGame(deps, owner, { gameId: gameIds[0] ?? '', before })
    if (verb === 'remove') return removeRoyalGames(deps, owner, { gameIds })
    if (verb === 'set') return setRoyalGames(deps, owner, { gameIds })
    return addRoyalGames(deps, owner, { gameIds, position })
  }
  return { ...(await answer()), sent }
}

const anyOperation = (ids: readonly string[], most: number) =>
  fc.record<Operation>({
    verb: fc.constantFrom(...VERBS),
    gameIds: fc.array(fc.constantFrom(...ids), { minLength: 1, maxLength: most, size: 'max' }),
    position: fc.constantFrom('start', 'end'),
    before: fc.option(fc.constantFrom(...ids)),
  })

// Few games repeat and reorder; many fill the list.
it.each([
  { title: 'of few games', ids: [...scene.games.slice(0, 10), ...strangers.slice(0, 3)], most: 8, operations: 30 },
  { title: 'of many games', ids: [...scene.games, ...strangers], most: LIMIT, operations: 12 },
])('any operations $title, one after another, agree with plain arrays', async ({ ids, most, operations }) => {
  let longest = 0
  const lists = fc.constantFrom(undefined, [], strangers.slice(0, 3), ids.slice(0, LIMIT))
  const schedules = fc.array(anyOperation(ids, most), { minLength: operations, maxLength: operations })
  const property = fc.asyncProperty(lists, schedules, async (first, schedule) => {
    const userId = await scene.addUser(first)
    const other = await scene.addUser(ids.slice(0, 2))
    let list: readonly string[] = first ?? []
    for (const operation of schedule) {
      const before = await scene.stored(userId)
      const expected = model(list, operation)
      const { royalGames, rejected, isChanged } = expected
      expect(await change(userId, operation)).toEqual({ royalGames, rejected, sent: isChanged ? [royalGames] : [] })
      list = expected.royalGames
      longest = Math.max(longest, list.length)

      const stored = await scene.stored(userId)
      expect(stored.royalGames ?? []).toEqual(list)
      if (expected.isChanged) expect(Date.now() - stored.updatedAt.getTime()).toBeLessThan(60_000)
      else expect(stored.updatedAt).toEqual(before.updatedAt)
    }
    expect(await loadRoyalGames(scene, toOwner(userId))).toEqual({ royalGames: list, rejected: [] })
    expect(await scene.stored(other)).toMatchObject({ royalGames: ids.slice(0, 2), updatedAt: LONG_AGO })
  })
  await fc.assert(property, { seed: 1, numRuns: 4 })
  if (most === LIMIT) expect(longest).toBe(LIMIT)
})

it('simultaneous adds of several processes lose nothing, repeat nothing and never pass the limit', async () => {
  const userId = await scene.addUser(scene.games.slice(0, 100))
  const batches = Array.from({ length: 25 }, (_, n) => scene.games.slice(100 + n * 20, 120 + n * 20))
  const answers = await Promise.all(
    batches.map((gameIds) => addRoyalGames(scene, toOwner(userId), { gameIds, position: 'start' })),
  )

  const { royalGames = [] } = await scene.stored(userId)
  expect(new Set(royalGames).size).toBe(LIMIT)
  for (const [index, { royalGames: then, rejected }] of answers.entries()) {
    const batch = batches[index] ?? []
    expect(then.length).toBeLessThanOrEqual(LIMIT)
    expect(rejected).toEqual(batch.filter((id) => !then.includes(id)))
    expect(batch.filter((id) => then.includes(id))).toEqual(batch.slice(0, batch.length - rejected.length))
  }
  expect(answers.flatMap(({ rejected }) => rejected)).toHaveLength(100)
})

it('simultaneous moves and adds lose no game', async () => {
  const games = scene.games.slice(0, 60)
  const userId = await scene.addUser(games.slice(0, 30))
  await Promise.all([
    ...games.slice(30).map((id) => addRoyalGames(scene, toOwner(userId), { gameIds: [id], position: 'end' })),
    ...games
      .slice(0, 30)
      .map((gameId, n) => moveRoyalGame(scene, toOwner(userId), { gameId, before: games[29 - n] ?? null })),
  ])
  expect((await scene.stored(userId)).royalGames?.toSorted()).toEqual(games.toSorted())
})
