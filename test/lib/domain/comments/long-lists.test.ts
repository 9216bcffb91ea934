import { BSON, ObjectId } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { profile } from '../../../support/clients/profile.ts'
import { insertGame } from '../../../support/rows/rows.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'
import { untilCaughtUp } from '../../../support/service/until-caught-up.ts'
import { useClient } from '../../../support/service/use-client.ts'

const LIKERS = 10_000

const scene = await useDiscussion()

async function insertLiked(facts = {}) {
  const { reader, insert } = scene
  const likedBy = Array.from({ length: LIKERS }, () => new ObjectId())
  likedBy[7] = new ObjectId(reader.id)
  return await insert({ likedBy, likesCount: LIKERS, ...facts })
}

test('200: a cached page keeps no long list of voters, and each viewer sees their votes', async () => {
  const { service, reader, author } = scene
  const gameId = await insertGame(service.db)
  await insertLiked({ gameId })
  await scene.insert({ gameId, likedBy: [new ObjectId(reader.id)], likesCount: 1 })
  await untilCaughtUp(service.deps)
  const read = async (caller: typeof reader) =>
    (await caller.get(`/games/${gameId}/comments`)).body.results.map(({ isLiked }: { isLiked: boolean }) => isLiked)

  expect(await read(reader)).toEqual([true, true])
  const commands = await profile(service.db, 'comments', async () => {
    expect(await read(author)).toEqual([false, false])
    expect(await read(reader)).toEqual([true, true])
  })
  // The page is cached. Only the votes of these two viewers are read.
  expect(commands.map(({ keysExamined }) => keysExamined)).toEqual([2, 2])
  const page = service.deps.commentCaches.pages.get(gameId.toHexString(), 'top:1:10:false')
  expect(page?.votes).toBeNull()
})

test('pages of a discussion end at 10,000 comments', async () => {
  const { service, gameId } = scene
  const read = (query: string) => service.guest.get(`/games/${gameId}/comments?${query}`)
  expect((await read('page=200&take=50')).status).toBe(200)
  const { status, body } = await read('page=201&take=50')
  expect(status).toBe(400)
  expect(body.message).toBe('Pages end at 10000 comments')
})

test('taking back one of 10,000 likes logs one place of the list, not the list', async () => {
  const { service, reader } = scene
  const _id = await insertLiked()
  expect((await reader.delete(`/comments/${_id}/like`)).body).toEqual({ count: LIKERS - 1, isActive: false })

  const client = await useClient(inject('mongoUri'))
  const [logged] = await client
    .db('local')
    .collection('oplog.rs')
    .find({ ns: service.db.comments.namespace, op: 'u', 'o2._id': _id })
    .sort({ $natural: -1 })
    .limit(1)
    .toArray()
  expect(BSON.calculateObjectSize(logged ?? {})).toBeGreaterThan(100)
  expect(BSON.calculateObjectSize(logged ?? {})).toBeLessThan(2_000)
  const stored = await service.db.comments.findOne({ _id })
  expect(stored?.likedBy).toHaveLength(LIKERS - 1)
  expect(stored?.likedBy?.some((voter) => voter.toHexString() === reader.id)).toBe(false)
})
