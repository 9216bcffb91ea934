import { MongoClient, ObjectId } from 'mongodb'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { useDatabaseProxy } from '../support/processes/database-proxy.ts'
import { insertGame } from '../support/rows/rows.ts'
import { expectFinalState } from '../support/scenes/final-state.ts'
import { insertGames } from '../support/scenes/royal-scene.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'
import { untilCaughtUp } from '../support/service/until-caught-up.ts'
import { pickFrom, randomFrom } from '../support/tools/random.ts'

const WAIT = { timeout: 30_000, interval: 20 }

const proxy = await useDatabaseProxy()
const direct = new URL(inject('mongoUri'))
direct.pathname = new URL(proxy.uri).pathname
const scene = await useTwins({ mongodbUri: direct.href, feedUri: proxy.uri, timeoutMs: 12_000 })
const foreign = new MongoClient(direct.href)
afterAll(() => foreign.close())

const collection = (name: string) => foreign.db(new URL(scene.service.mongodbUri).pathname.slice(1)).collection(name)

/** Opens a discussion that a guest and the author read twice, so that it is cached. */
async function readDiscussion({ isChangedBefore = false } = {}) {
  const gameId = await insertGame(scene.service.db)
  const _id = await scene.insert({ gameId, body: 'first' })
  // A change through the service shows the service which discussion has this comment.
  if (isChangedBefore) await scene.reader.put(`/comments/${_id}/like`)
  await untilCaughtUp(scene.service.deps)
  const asGuest = async () => (await scene.service.guest.get(`/games/${gameId}/comments`)).body
  const asAuthor = async () => (await scene.author.get(`/games/${gameId}/comments`)).body
  const read = async () => [await asGuest(), await asAuthor()]
  await read()
  await read()
  return { gameId, _id, read }
}

describe('a bare driver that writes beside the service', () => {
  it.each([{ isChangedBefore: false }, { isChangedBefore: true }])(
    'a comment that moved is in the other game alone; changed through the service before: $isChangedBefore',
    async ({ isChangedBefore }) => {
      const from = await readDiscussion({ isChangedBefore })
      const to = await readDiscussion()
      await collection('comments').updateOne({ _id: from._id }, { $set: { gameId: to.gameId } })
      await untilCaughtUp(scene.service.deps)
      for (const list of await from.read()) expect(list).toEqual({ results: [], total: 0 })
      for (const list of await to.read()) expect(list).toMatchObject({ total: 2 })
    },
  )

  it('events of a comment that lost its count of changes are sent again', async () => {
    const gameId = await insertGame(scene.service.db)
    const _id = await scene.insert({ gameId })
    const reader = await watchDiscussion(scene.service.baseUrl, gameId)
    for (const verb of ['put', 'delete'] as const) await scene.reader[verb](`/comments/${_id}/like`)
    const { sentBy: _sentBy, rev: _rev, ...stored } = { ...(await collection('comments').findOne({ _id })) }
    await collection('comments').replaceOne({ _id }, stored)
    await untilCaughtUp(scene.service.deps)
    await scene.reader.put(`/comments/${_id}/like`)
    const likes = (await reader.seen()).filter(({ event }) => event === 'comment:likes')
    // The replaced document sends its own state, too.
    expect(likes.map(({ payload }) => payload.likesCount)).toEqual([1, 0, 0, 1])
  })

  it('404 for a comment on a game that was deleted', async () => {
    const [game = ''] = await insertGames(scene.service.db, 1)
    const post = () => scene.author.post('/comments', { body: { gameId: game, body: 'here' } })
    expect((await post()).status).toBe(201)
    await collection('games').deleteOne({ _id: new ObjectId(game) })
    await untilCaughtUp(scene.service.deps)
    expect((await post()).status).toBe(404)
  })

  it('a collection that was dropped is empty', async () => {
    const { read } = await readDiscussion()
    await collection('comments').drop()
    await untilCaughtUp(scene.service.deps)
    for (const list of await read()) expect(list).toEqual({ results: [], total: 0 })
    // Its indexes are gone with it, and lists ask for them by name.
    await prepareDatabase(scene.service.mongodbUri)
  })
})

it('only the feed is cut: local events leave at once, others when it is back, and none is lost', async () => {
  const gameId = await insertGame(scene.service.db)
  const commentId = await scene.insert({ gameId })
  const reader = await scene.watch(gameId)
  proxy.cut()
  await vi.waitUntil(() => !scene.service.deps.feed.isLive(), WAIT)
  await scene.atOther(scene.reader).put(`/comments/${commentId}/like`)
  await scene.admin.put(`/comments/${commentId}/like`)
  const seenLikes = async () => (await reader.seen()).map(({ payload }) => payload.likesCount)
  await expect.poll(seenLikes, WAIT).toEqual([2])
  await scene.atOther(scene.reader).delete(`/comments/${commentId}/like`)
  expect(await seenLikes()).toEqual([2])

  proxy.restore()
  await untilCaughtUp(scene.service.deps)
  // The first like is older than what was sent already.
  await expect.poll(seenLikes, WAIT).toEqual([2, 1])
})

it('an edit that arrives after a newer hiding is not sent: its readers read the text when it is shown again', async () => {
  const gameId = await insertGame(scene.service.db)
  const _id = await scene.insert({ gameId })
  const reader = await scene.watch(gameId)
  const edit = (body: string) => scene.atOther(scene.author).patch(`/comments/${_id}`, { body: { body } })
  await edit('first')
  await untilCaughtUp(scene.service.deps)
  proxy.cut()
  await vi.waitUntil(() => !scene.service.deps.feed.isLive(), WAIT)
  await edit('second')
  for (const status of ['hidden', 'visible']) await scene.admin.patch(`/comments/${_id}/status`, { body: { status } })
  proxy.restore()
  await untilCaughtUp(scene.service.deps)

  expect((await reader.seen()).map(({ payload }) => payload.body ?? payload.status)).toEqual([
    'first',
    'hidden',
    'visible',
  ])
  await expectFinalState(scene.service.db, gameId, reader)
})

const STEPS = 80

it('no read is older than what a bare driver wrote, and none at all while the feed is cut', async () => {
  const random = randomFrom(61)
  const pick = pickFrom(random)
  const gameId = await insertGame(scene.service.db)
  const writers = await Promise.all([scene.service.caller(), scene.service.caller()])
  const admin = await scene.service.caller({ isAdmin: true })
  const [comments, users] = [collection('comments'), collection('users')]
  const insert = () => scene.insert({ gameId, userId: new ObjectId(pick(writers).id) })
  for (let count = 0; count < 5; count++) await insert()
  let version = 0
  const write = async () => {
    version += 1
    const all = await comments.find({ gameId }).toArray()
    const { _id, ...stored } = all.length === 0 ? { _id: new ObjectId() } : pick(all)
    const userId = new ObjectId(pick(writers).id)
    await pick([
      () => comments.updateOne({ _id }, { $set: { body: `text ${version}` } }),
      () => comments.updateOne({ _id }, { $set: { status: pick(['visible', 'hidden']) } }),
      () => comments.replaceOne({ _id }, { ...stored, body: `text ${version}` }),
      () => comments.deleteOne({ _id }),
      () => insert(),
      () => users.updateOne({ _id: userId }, { $set: { userName: `name ${version}` } }),
      () => users.updateOne({ _id: new ObjectId(admin.id) }, { $set: { roles: pick([['admin'], ['user']]) } }),
    ])()
  }
  const expectFresh = async () => {
    const stored = await comments.find({ gameId }).sort({ createdAt: -1, _id: -1 }).toArray()
    const named = await users.find({ _id: { $in: writers.map(({ id }) => new ObjectId(id)) } }).toArray()
    const names = new Map(named.map(({ _id, userName }) => [String(_id), userName]))
    const isAdmin = (await users.findOne({ _id: new ObjectId(admin.id) }))?.roles.includes('admin')
    const rows = (statuses: string[]) =>
      stored
        .filter(({ status }) => statuses.includes(status))
        .map(({ _id, body, userId }) => ({ _id: String(_id), body, author: names.get(String(userId)) }))
    for (const [reader, expected] of [
      [scene.service.guest, rows(['visible'])],
      [admin, rows(isAdmin ? ['visible', 'hidden'] : ['visible'])],
    ] as const) {
      // A busy machine may refuse a read; an answer is never old.
      const { body } = await vi.waitFor(async () => {
        const answer = await reader.get(`/games/${gameId}/comments?sort=new&take=50`)
        expect(answer.status).toBe(200)
        return answer
      }, WAIT)
      const shown = body.results.map((row: { _id: string; body: string; author: { userName: string } }) => ({
        _id: row._id,
        body: row.body,
        author: row.author.userName,
      }))
      expect(shown).toEqual(expected)
      expect(body.total).toBe(expected.length)
    }
  }
  const { feed } = scene.service.deps
  const cuts = new Set([0.2, 0.7].map((part) => Math.floor(STEPS * (part + random() / 10))))
  let isCut = false
  const restore = async () => {
    proxy.restore()
    await vi.waitUntil(() => feed.isLive(), WAIT)
    isCut = false
  }
  for (let step = 0; step < STEPS; step++) {
    if (cuts.has(step)) {
      proxy.cut()
      await vi.waitUntil(() => !feed.isLive(), WAIT)
      isCut = true
    } else if (isCut && random() < 0.15) await restore()
    await write()
    if (!isCut) await untilCaughtUp(scene.service.deps)
    await expectFresh()
  }
  await restore()
  await expectFresh()
}, 120_000)
