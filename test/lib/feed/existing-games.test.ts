import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findUnknownGames } from '../../../lib/feed/existing-games.ts'
import { openRoyalScene, type RoyalScene, unknownGame } from '../../support/scenes/royal-scene.ts'

let scene: RoyalScene
beforeAll(async () => {
  scene = await openRoyalScene({ gamesCount: 500 })
})
afterAll(() => scene.close())

it('names the ids that are no game, in their order', async () => {
  const [x, y] = [unknownGame(), unknownGame()]

  expect(await findUnknownGames(scene, [y, ...scene.games.slice(0, 498), x])).toEqual([y, x])
  expect(await findUnknownGames(scene, scene.games)).toEqual([])
  expect(await findUnknownGames(scene, [])).toEqual([])
})

it('is answered from the index, without reading a game', async () => {
  const _id = { $in: scene.games.map((id) => new ObjectId(id)) }
  const plan = await scene.db.games.find({ _id }, { projection: { _id: 1 } }).explain('executionStats')

  expect(plan.executionStats).toMatchObject({ nReturned: 500, totalDocsExamined: 0 })
})
