import { afterAll, describe, expect, it } from 'vitest'
import { addRoyalGames } from '../../../lib/royal/add-royal-games.ts'
import type { RoyalChange } from '../../../lib/royal/change-list.ts'
import { moveRoyalGame } from '../../../lib/royal/move-royal-game.ts'
import { removeRoyalGames } from '../../../lib/royal/remove-royal-games.ts'
import { setRoyalGames } from '../../../lib/royal/set-royal-games.ts'
import { insertGames, openRoyalScene, unknownGame, withoutRev } from '../../support/scenes/royal-scene.ts'
import { randomFrom } from '../../support/tools/random.ts'

const LIMIT = 500
// Hundreds of operations, one after another.

const scene = await openRoyalScene({ gamesCount: 0 })
afterAll(() => scene.close())

type Operation = {
  verb: 'add' | 'set' | 'remove' | 'move'
  gameIds: string[]
  position: 'start' | 'end'
  before: string | null
}

/** The contract of an operation, on plain arrays. */
function model(list: string[], operation: Operation, known: ReadonlySet<string>): Omit<RoyalChange, 'rev'> {
  const { verb, gameIds, position, before } = operation
  const requested = [...new Set(verb === 'move' ? gameIds.slice(0, 1) : gameIds)]
  let next: string[]
  if (verb === 'move') {
    const [id = ''] = requested
    next = list.filter((each) => each !== id)
    const at = before !== null && next.includes(before) ? next.indexOf(before) : next.length
    next = list.includes(id) && id !== before ? next.toSpliced(at, 0, id) : list
  } else if (verb === 'remove') {
    next = list.filter((id) => !gameIds.includes(id))
  } else if (verb === 'set') {
    next = requested.filter((id) => known.has(id) || list.includes(id))
  } else {
    const fresh = requested.filter((id) => known.has(id) && !list.includes(id)).slice(0, LIMIT - list.length)
    next = position === 'start' ? [...fresh, ...list] : [...list, ...fresh]
  }
  return {
    royalGames: next,
    rejected: verb === 'remove' ? [] : requested.filter((id) => !next.includes(id)),
    isChanged: next.join() !== list.join(),
  }
}

function change(userId: string, { verb, gameIds, position, before }: Operation): Promise<RoyalChange> {
  if (verb === 'move') return moveRoyalGame(scene, { userId, gameId: gameIds[0] ?? '', before })
  if (verb === 'remove') return removeRoyalGames(scene, { userId, gameIds })
  if (verb === 'set') return setRoyalGames(scene, { userId, gameIds })
  return addRoyalGames(scene, { userId, gameIds, position })
}

const run = (...args: Parameters<typeof change>) => withoutRev(change(...args))

describe('random operations', () => {
  // A small pool repeats and reorders; a large one fills the list.
  it.each([
    { seed: 1, pool: 12, most: 8, rounds: 250 },
    { seed: 2, pool: 620, most: 240, rounds: 120 },
    { seed: 3, pool: 560, most: 500, rounds: 60 },
  ])('agree with plain arrays: seed $seed, $pool games', async ({ seed, pool, most, rounds }) => {
    const random = randomFrom(seed)
    const games = await insertGames(scene.db, pool)
    // A tenth of the ids is in no catalogue, and some of those are listed all the same.
    const strangers = Array.from({ length: Math.ceil(pool / 10) }, unknownGame)
    const ids = [...games, ...strangers]
    const known = new Set(games)
    const draw = () => ids[Math.floor(random() * ids.length)] ?? ''

    let list = strangers.slice(0, 3)
    const userId = await scene.addUser(list)
    let changes = 0
    let longest = 0

    for (let round = 0; round < rounds; round += 1) {
      const dice = random()
      const operation: Operation = {
        verb: dice < 0.45 ? 'add' : dice < 0.75 ? 'move' : dice < 0.9 ? 'remove' : 'set',
        gameIds: Array.from({ length: 1 + Math.floor(random() * most) }, draw),
        position: random() < 0.5 ? 'start' : 'end',
        before: random() < 0.1 ? null : draw(),
      }
      const before = (await scene.stored(userId)).updatedAt
      const expected = model(list, operation, known)

      expect(await run(userId, operation), `round ${round}: ${operation.verb}`).toEqual(expected)
      const stored = await scene.stored(userId)
      expect(stored.royalGames).toEqual(expected.royalGames)
      if (!expected.isChanged) expect(stored.updatedAt).toEqual(before)
      list = expected.royalGames
      changes += expected.isChanged ? 1 : 0
      longest = Math.max(longest, list.length)
    }

    expect(changes).toBeGreaterThan(rounds / 4)
    if (pool > LIMIT) expect(longest).toBe(LIMIT)
  })
})

it('simultaneous adds of several processes lose nothing, repeat nothing and never pass the limit', async () => {
  const games = await insertGames(scene.db, 600)
  const userId = await scene.addUser(games.slice(0, 100))
  const batches = Array.from({ length: 25 }, (_, n) => games.slice(100 + n * 20, 120 + n * 20))
  const answers = await Promise.all(
    batches.map((gameIds) => addRoyalGames(scene, { userId, gameIds, position: 'start' })),
  )

  const { royalGames = [] } = await scene.stored(userId)
  expect(royalGames).toHaveLength(LIMIT)
  expect(new Set(royalGames).size).toBe(LIMIT)
  for (const [index, { royalGames: then, rejected }] of answers.entries()) {
    const batch = batches[index] ?? []
    expect(then.length).toBeLessThanOrEqual(LIMIT)
    expect(rejected).toEqual(batch.filter((id) => !then.includes(id)))
    expect(batch.filter((id) => then.includes(id))).toEqual(batch.slice(0, batch.length - rejected.length))
  }
  expect(answers.flatMap(({ rejected }) => rejected)).toHaveLength(100)
})
