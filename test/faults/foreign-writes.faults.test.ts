import { MongoClient, ObjectId } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import { openClient, untilConnected } from '../support/clients/clients.ts'
import type { Reader } from '../support/clients/watch-discussion.ts'
import { insertGame } from '../support/rows/rows.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'
import { captureLog } from '../support/service/capture-log.ts'

const { log, lines } = captureLog()
const scene = await useTwins({ log })
const foreign = new MongoClient(scene.service.mongodbUri)
afterAll(() => foreign.close())

const collection = (name: string) => foreign.db().collection(name)

async function seenBy(readers: readonly Reader[]) {
  await scene.caughtUp()
  return await Promise.all(readers.map((reader) => reader.seen()))
}

it('comments that another program writes are sent once at every instance', async () => {
  const gameId = await insertGame(scene.service.db)
  const readers = await scene.watchBoth(gameId)
  const threadId = await scene.insert({ gameId, body: 'first' })
  const filter = { _id: threadId }
  for (const update of [
    { $set: { body: 'second' } },
    { $set: { likedBy: [new ObjectId()], likesCount: 1 } },
    { $set: { status: 'hidden' } },
    { $set: { status: 'visible' } },
  ]) {
    await collection('comments').updateOne(filter, update)
    // The event describes the comment as it is stored when the change arrives.
    await scene.caughtUp()
  }
  const replyId = new ObjectId()
  const thread = await collection('comments').findOne(filter)
  await foreign.withSession((session) =>
    session.withTransaction(async () => {
      await collection('comments').updateOne(filter, { $inc: { repliesCount: 1 } }, { session })
      await collection('comments').insertOne({ ...thread, _id: replyId, parentId: threadId }, { session })
    }),
  )

  const subject = { gameId: String(gameId), commentId: String(threadId) }
  const parent = { parentId: null, parentRepliesCount: null }
  const reply = { ...subject, commentId: String(replyId), parentId: String(threadId), parentRepliesCount: 1 }
  for (const seen of await seenBy(readers)) {
    expect(seen).toEqual([
      { event: 'comment:created', payload: { ...subject, ...parent } },
      { event: 'comment:updated', payload: expect.objectContaining({ ...subject, body: 'second' }) },
      { event: 'comment:likes', payload: { ...subject, likesCount: 1 } },
      { event: 'comment:status', payload: { ...subject, ...parent, status: 'hidden' } },
      { event: 'comment:status', payload: { ...subject, ...parent, status: 'visible' } },
      { event: 'comment:created', payload: reply },
    ])
  }
  // No list shows a comment whose game is no id, so nobody has to read again.
  await collection('comments').replaceOne(filter, { ...thread, gameId: 'a game' })
  await scene.caughtUp()
  expect(lines.filter(({ msg }) => msg === 'a change could not be followed')).toEqual([])
  for (const reader of readers) reader.close()
})

it('a royal list that another program writes is sent to every socket of its user', async () => {
  const { user, cookie } = scene.reader
  if (user === undefined) throw new Error('the reader has signed in')
  const sockets = await Promise.all(
    [scene.service, scene.other].map(({ baseUrl }) => untilConnected(openClient(baseUrl, '/royal', { cookie }))),
  )
  const lists: unknown[][] = sockets.map(() => [])
  for (const [index, socket] of sockets.entries()) socket.on('royal:changed', (event) => lists[index]?.push(event))
  const royalGames = [new ObjectId(), new ObjectId()]
  await collection('users').updateOne({ _id: new ObjectId(scene.reader.id) }, { $set: { royalGames } })
  await scene.caughtUp()
  await Promise.all(sockets.map((socket) => socket.emitWithAck('royal:sync', {})))

  const event = { royalGames: royalGames.map(String) }
  expect(lists).toEqual([[event], [event]])
})

it('a change that cannot be followed is left out alone: the others of its batch are sent, and clients read again', async () => {
  const gameId = await insertGame(scene.service.db)
  const ids = await Promise.all(Array.from({ length: 60 }, () => scene.insert({ gameId })))
  const odd = await scene.insert({ gameId })
  const readers = await scene.watchBoth(gameId)
  const sockets = readers.map(({ socketId }) => socketId)
  const edit = (_id: ObjectId, $set: object) => ({ updateOne: { filter: { _id }, update: { $set } } })
  const edits = ids.map((_id, index) => edit(_id, { body: `text ${index}` }))
  const oddEdit = edit(odd, { body: 'odd', updatedAt: 'yesterday' })
  // The change stream answers the changes of a transaction in one batch.
  const operations = [...edits.slice(0, 30), oddEdit, ...edits.slice(30)]
  await foreign.withSession((session) =>
    session.withTransaction(() => collection('comments').bulkWrite(operations, { session })),
  )

  for (const [index, reader] of readers.entries()) {
    await vi.waitUntil(() => reader.socketId !== '' && reader.socketId !== sockets[index], { timeout: 20_000 })
    const bodies = (await reader.seen()).map(({ payload }) => payload.body)
    expect(bodies).toEqual(ids.map((_, at) => `text ${at}`))
  }
  expect(lines.filter(({ msg }) => msg === 'a change could not be followed')).toEqual([
    expect.objectContaining({ collection: 'comments', id: String(odd) }),
  ])
  await collection('comments').deleteOne({ _id: odd })
  for (const reader of readers) reader.close()
})
