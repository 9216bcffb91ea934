import type { ClientSession, ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { useGamesScene } from '../../../../support/scenes/games-scene.ts'
import { KEEPERS, LANTERN_KEEP } from '../../../infrastructure/sources/igdb/lantern-keep.ts'

const scene = await useGamesScene()
beforeEach(async () => {
  await scene.reset()
  scene.igdb.games.push(LANTERN_KEEP)
  scene.igdb.characters.push(...KEEPERS)
})

const { insertGame: insert } = scene

async function catalogue() {
  const { games, characters } = scene.service.db
  return { games: await games.find().toArray(), characters: await characters.find().toArray() }
}

const aborted = new Error('the transaction is aborted')
const writeAndAbort = (write: (session: ClientSession) => Promise<unknown>) =>
  scene.service.db.transaction(async (session) => {
    await write(session)
    throw aborted
  })

it.each([
  ['an add', false],
  ['an update', true],
])('the write of %s leaves nothing where its transaction is aborted, and can be made again', async (_, isUpdate) => {
  const targetId = isUpdate ? { targetId: await insert({ screenshots: ['https://cdn.example/s'] }) } : {}
  const before = await catalogue()
  const payload = { igdbId: 9001, artworks: [scene.images.link('png/a')] }
  const { write, warnings } = await scene.plan(payload, targetId)

  await expect(writeAndAbort(write)).rejects.toBe(aborted)
  await expect(writeAndAbort(write)).rejects.toBe(aborted)
  expect(await catalogue()).toEqual(before)

  const entry = await scene.service.db.transaction(write)
  const { games, characters } = await catalogue()
  expect(games).toMatchObject([
    { _id: entry.resultId, igdb: { gameId: 9001 }, artworks: [{}, {}].map(() => expect.any(String)) },
  ])
  expect(characters).toMatchObject([{ name: 'Mira', gameIds: [entry.resultId] }])
  expect(entry.replacedImages).toEqual(isUpdate ? ['https://cdn.example/s'] : [])
  expect(warnings).toEqual([])
  // Each key is recorded before something is stored under it.
  expect(scene.recorded.toSorted()).toEqual([...scene.objects].sort())
})

it.each([
  ['an add', false],
  ['an update', true],
])('the write of %s is refused where the entry gets another owner while it is written', async (_, isUpdate) => {
  const targetId = isUpdate ? { targetId: await insert() } : {}
  const { write } = await scene.plan({ igdbId: 9001 }, targetId)
  const { db } = scene.service
  let rival: Promise<ObjectId> | undefined
  const writing = db.transaction(async (session) => {
    // From here on the transaction sees nothing that comes later.
    await db.games.findOne({}, { session })
    rival ??= insert({ name: 'Chrono Trigger', igdb: { gameId: 9001 } })
    await rival
    return write(session)
  })

  await expect(writing).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'IGDB 9001 already belongs to "Chrono Trigger"',
  })
  expect(await db.games.countDocuments({ 'igdb.gameId': 9001 })).toBe(1)
})

it('the write of a cast of hundreds is one transaction', async () => {
  const cast = Array.from({ length: 300 }, (_, index) => ({ id: 100 + index, name: `Guard ${index}`, games: [9001] }))
  scene.igdb.characters.push(...cast)
  const { resultId } = await scene.approve({ igdbId: 9001 })

  expect(await scene.service.db.characters.countDocuments({ gameIds: resultId })).toBe(301)
})
