import { type Document, ObjectId } from 'mongodb'
import { beforeAll, expect, it, vi } from 'vitest'
import { prepareDatabase } from '#lib/infrastructure/db/connect'
import { startDatabaseProxy } from '../../../support/processes/database-proxy.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'

const { db, prepare } = await useBareDatabase()
const comments = db.collection('comments')
beforeAll(prepare)

const insertUnchecked = (document: Document) => comments.insertOne(document, { bypassDocumentValidation: true })
const BEST_FIRST = 'gameId_1_parentId_1_likesCount_-1_createdAt_-1__id_-1_status_1_repliesCount_1'
async function isMultikey(name = BEST_FIRST) {
  const plan = await comments.find().hint(name).explain('queryPlanner')
  return JSON.stringify(plan).includes('"isMultiKey":true')
}

it.each([
  ['comments', { likesCount: [1] }],
  ['games', { slug: 'a', igdb: { gameId: [1] } }],
  ['games', { slug: 'b', igdb: [{ gameId: 1 }] }],
  ['conflicts', { source: ['igdb'], externalId: '1' }],
  ['users', { userName: ['x'], email: 'x' }],
  ['staffActions', { target: { kind: 'user', id: ['x'] } }],
])('a list in an indexed scalar field is refused: %s %j', async (name, document) => {
  await expect(db.collection(name).insertOne(document)).rejects.toMatchObject({ code: 121 })
})

it.each([
  ['comments', { likesCount: 'odd', likedBy: [new ObjectId()], createdAt: null }],
  [
    'games',
    { slug: 'c', companies: [{ key: 'a' }], retroachievements: [{ gameId: 1 }], searchWords: ['c'], igdb: null },
  ],
  ['characters', { slug: 'd', gameIds: [new ObjectId()], lowerCaseNames: ['d'] }],
  ['conflicts', { source: 'igdb', externalId: '2', candidates: [{ gameId: new ObjectId() }], createdAt: 'yesterday' }],
  ['contentRequests', { pendingUploads: ['covers/1/2'], payload: { name: 'x' } }],
])('any other value of another program is accepted: %s %j', async (name, document) => {
  expect((await db.collection(name).insertOne(document)).acknowledged).toBe(true)
})

it('an index that met a list is built again, once the list has gone, by several starts at once', async () => {
  const { insertedId } = await insertUnchecked({ likesCount: [1] })
  expect(await isMultikey()).toBe(true)
  expect(await prepare()).toEqual([
    `The document ${insertedId} of comments holds a list in likesCount: its lists stay slow`,
  ])
  await comments.deleteOne({ _id: insertedId })
  expect(await isMultikey()).toBe(true)
  const before = await comments.indexes()

  await Promise.all([prepare(), prepare(), prepare()])
  expect(await isMultikey()).toBe(false)
  const byName = (all: Document[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(byName(await comments.indexes())).toEqual(byName(before))
})

it('a partial index is built again', async () => {
  const reported = 'status_1_reportsCount_-1__id_-1'
  const { insertedId } = await insertUnchecked({ status: ['visible'], reportsCount: 1 })
  await comments.deleteOne({ _id: insertedId })
  await prepare()
  const scan = comments.find({ reportsCount: { $gt: 0 } }).hint(reported)
  expect(JSON.stringify(await scan.explain('queryPlanner'))).toContain('"isMultiKey":false')
})

it('a list that another program stores in a new collection before lists are refused is found', async () => {
  const fresh = await useBareDatabase()
  const proxy = await startDatabaseProxy(fresh.uri)
  const release = proxy.holdCommands('collMod')
  const lines: string[] = []
  const preparing = prepareDatabase(proxy.uri, { print: (line) => lines.push(line) })
  const stored = fresh.db.collection('comments')
  await vi.waitUntil(async () => (await stored.indexes().catch(() => [])).length > 1, { timeout: 30_000 })
  const { insertedId } = await stored.insertOne({ likesCount: [1] })
  release()
  await preparing

  expect(lines).toEqual([`The document ${insertedId} of comments holds a list in likesCount: its lists stay slow`])
  await proxy.close()
})

it('a validator of another program stays', async () => {
  const validator = { body: { $ne: 'refused' } }
  await db.command({ collMod: 'comments', validator })
  await prepare()
  const [{ options } = {}] = await db.listCollections({ name: 'comments' }, { nameOnly: false }).toArray()
  expect(options?.validator).toEqual(validator)
})
