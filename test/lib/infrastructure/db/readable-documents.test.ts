import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import type { CollectionName } from '#lib/infrastructure/db/connect'
import {
  insertCharacter,
  insertComment,
  insertConflict,
  insertFoundGame,
  insertNotification,
  insertPlatform,
  insertRequest,
} from '../../../support/rows/rows.ts'
import { captureLog } from '../../../support/service/capture-log.ts'
import { useService } from '../../../support/service/start-service.ts'

const { log, lines } = captureLog()
const service = await useService({ log })
const { db } = service
/** Writes as another program does. */
const bare = db.raw
// The database is not used again, because an index that once held a list gives no order any more.
afterAll(() => bare.dropDatabase())

const admin = await service.caller({ userName: 'carol', isAdmin: true })
const userId = new ObjectId(admin.id)
const gameId = await insertFoundGame(db, 'Halcyon', { platformIds: [], genres: ['Puzzle'] })
await insertCharacter(db, { name: 'Halcyon', nameKey: 'halcyon', searchWords: ['halcyon'] })
const threadId = await insertComment(db, { gameId, userId, reportsCount: 1 })
const replyId = await insertComment(db, { gameId, userId, parentId: threadId, replyToId: threadId })
await insertPlatform(db, { igdbId: 6, vndbId: 'win', raConsoleId: 1 })
const conflict = await insertConflict(db, { candidates: [{ gameId, name: 'Halcyon', slug: 'h', score: 50 }] })
await insertRequest(db, { userId, targetId: gameId, action: 'update', sources: ['https://example.com'] })
const now = new Date()
await insertNotification(db, { userId, type: 'comment-reply', gameId, commentId: replyId, isRead: true })
await db.staffActions.insertOne({
  _id: new ObjectId(),
  at: now,
  admin: { userId, userName: 'carol' },
  action: 'comment-hidden',
  target: { kind: 'comment', id: threadId.toHexString() },
  details: { reason: 'x' },
})
await db.presets.insertOne({ _id: userId, presets: [{ name: 'a', preset: 'b' }], createdAt: now, updatedAt: now })

/** The lists of each collection, and the reads of one document. `:id` is the id of a malformed document. */
const PATHS: Partial<Record<CollectionName, string[]>> = {
  comments: [
    ...['new', 'top'].map((sort) => `/games/${gameId}/comments?sort=${sort}&take=50`),
    `/comments/${threadId}/replies?take=50`,
    '/comments/reported?take=50',
    '/comments/:id',
    '/discussions',
    '/notifications?take=50',
    '/staff-actions?take=50',
  ],
  users: [
    '/user/search?searchString=carol',
    '/user/:id',
    `/games/${gameId}/comments`,
    '/requests?take=50',
    '/discussions',
  ],
  notifications: ['/notifications?take=50'],
  staffActions: ['/staff-actions?take=50', `/staff-actions?admin=${admin.id}&take=50`],
  platforms: ['/platforms'],
  characters: ['/characters/search?searchString=halcyon&take=50', '/characters/:id'],
  games: [
    '/games/search?searchString=halcyon&take=50',
    `/games/by-ids?_ids=${gameId},:id`,
    '/discussions',
    '/notifications?take=50',
    '/conflicts/list?take=50',
    `/conflicts/igdb/${conflict.externalId}`,
    '/requests?take=50',
  ],
  conflicts: [
    '/conflicts',
    '/conflicts/list?take=50',
    `/conflicts/by-game/${gameId}`,
    `/conflicts/igdb/${conflict.externalId}`,
  ],
  contentRequests: ['/requests?take=50', '/requests?status=pending&take=50', '/requests/mine?take=50', '/requests/:id'],
}
/** A field that the document lacks. */
const ABSENT = undefined
const ODD = [[1], ABSENT, null, { odd: true }, 'odd', 5, new Date(), new ObjectId()]
const UNIQUE = ['slug', 'userName', 'email', 'externalId', 'key']

let copies = 0
/** Copies of a document, each with another of its fields replaced by an odd value. */
const malform = (document: Record<string, unknown>, value: unknown) =>
  Object.keys(document).map((field): Record<string, unknown> & { _id: unknown } => {
    const unique = UNIQUE.filter((name) => name in document).map((name) => [
      name,
      `${document[name]} ${new ObjectId()}`,
    ])
    const updatedAt = new Date(now.getTime() + ++copies)
    return {
      ...document,
      ...Object.fromEntries(unique),
      _id: new ObjectId(),
      isMalformed: true,
      updatedAt,
      [field]: value,
    }
  })

describe.each(Object.entries(PATHS))('malformed documents among %s', (name, paths) => {
  const collection = bare.collection<Record<string, unknown> & { _id: unknown }>(name)
  const readIds = async (path: string) => {
    const { status, body } = await admin.get(path)
    const rows: Record<string, unknown>[] = body.results ?? (Array.isArray(body) ? body : [])
    return { status, ids: rows.map(({ _id, game, externalId }) => JSON.stringify(_id ?? externalId ?? game)) }
  }

  it('200: malformed documents are left out of every list', async () => {
    const [good = { _id: null }] = await collection.find().sort({ _id: 1 }).limit(1).toArray()
    const before = new Map<string, string[]>()
    for (const path of paths) before.set(path, (await readIds(path)).ids)
    const failed: string[] = []
    for (const value of ODD) {
      const inserted = malform(good, value)
      // An index of two lists refuses some documents, and an id cannot be a list.
      await collection
        .insertMany(inserted, { ordered: false, bypassDocumentValidation: true, ignoreUndefined: true })
        .catch(() => {})
      for (const path of paths) {
        const { status, ids } = await readIds(path.replace(':id', String(inserted.at(-1)?._id)))
        const lost = (before.get(path) ?? []).filter((id) => !ids.includes(id))
        if (status >= 500 || lost.length > 0)
          failed.push(`${JSON.stringify(value)}: ${path} is ${status} without ${lost}`)
      }
      await collection.deleteMany({ isMalformed: true })
    }
    expect(failed).toEqual([])
  })
})

it('a malformed document is logged once, however often it is read', async () => {
  const _id = new ObjectId()
  await bare.collection('platforms').insertOne({ _id, slug: 'nameless' })
  await admin.get('/platforms')
  await admin.get('/platforms')

  expect(lines.filter(({ id }) => id === _id.toHexString())).toMatchObject([
    { level: 'warn', collection: 'platforms', field: 'name', msg: 'stored document cannot be read, left out' },
  ])
})
