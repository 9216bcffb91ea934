import { type Collection, type Document, ObjectId } from 'mongodb'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Source } from '#lib/contract/sources'
import { isPassword } from '#lib/domain/auth/passwords'
import type { Database } from '#lib/infrastructure/db/connect'
import type { LeftOut, PartName } from '#lib/ops/import/import-run'
import { SITE_COLLECTIONS } from '#lib/ops/import/import-run'
import { runImport } from '#lib/ops/import/run-import'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { useDatabase } from '../../../support/service/use-database.ts'
import { fillSite, generateSite, SITE_PASSWORD, siteId } from '../../../support/site/generate-site.ts'

const SIZE = { seed: 7, games: 60, users: 40, comments: 220 }
const { db: site } = await useBareDatabase()
const { db } = await useDatabase()
const ALL = new Set(Object.keys(SITE_COLLECTIONS) as PartName[])

interface Options {
  target?: Database
  isWriting?: boolean
  areAdminsKept?: boolean
}

async function run({ target = db, isWriting = true, areAdminsKept = false }: Options = {}) {
  const leftOut: LeftOut[] = []
  const report = (document: LeftOut) => void leftOut.push(document)
  const rows = await runImport({ site, db: target, isWriting, areAdminsKept, included: ALL, report })
  return { rows, leftOut }
}

async function readAll(target: Database): Promise<Document> {
  const read = [...ALL, 'presets' as const, 'imports' as const].map(async (name) => {
    // Any collection can be read as a whole.
    const collection = target[name] as unknown as Collection<Document>
    return [name, await collection.find({}, { sort: { _id: 1 } }).toArray()]
  })
  return Object.fromEntries(await Promise.all(read))
}

beforeAll(() => fillSite(site, SIZE))

const toFates = (rows: Iterable<{ collection: string; _id: unknown; fate: string }>) =>
  [...rows].map(({ collection, _id, fate }) => `${collection} ${_id}: ${fate}`).sort()

const expected = [...generateSite(SIZE)]
const expectedLeftOut = toFates(
  expected
    .filter(({ fate }) => fate !== 'taken' && fate !== 'mapped')
    .map(({ collection, document, fate }) => ({ collection, _id: document._id, fate })),
)
const withoutDetail = (reason: string) => reason.split(': ', 1).join()
const isNote = ({ reason }: LeftOut) => reason === 'its password hash cannot be used'

it('an import takes, maps or leaves out each document as its shape demands, in a dry run as when it writes', async () => {
  const dry = await run({ isWriting: false })
  expect(await db.imports.countDocuments()).toBe(0)
  expect(await db.games.countDocuments()).toBe(0)

  const { rows, leftOut } = await run()
  const fates = leftOut.filter((each) => !isNote(each)).map((each) => ({ ...each, fate: withoutDetail(each.reason) }))
  expect(toFates(fates)).toEqual(expectedLeftOut)
  const named = leftOut.map(({ collection, _id }) => `${collection} ${_id}`)
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
  expect(dry.leftOut).toEqual(leftOut)
  expect(dry.rows).toEqual(rows)
  for (const [name, { found, taken, there, mapped, leftOut: reasons }] of rows) {
    const sum = taken + there + mapped + [...reasons.values()].reduce((all, count) => all + count, 0)
    expect({ name, found: sum }).toEqual({ name, found })
  }
})

it('an import changes nothing in a second run', async () => {
  const before = await readAll(db)
  const { rows } = await run()
  expect([...rows.values()].map(({ taken }) => taken)).toEqual([...rows.values()].map(() => 0))
  expect(await readAll(db)).toEqual(before)
})

it('an import keeps a game as it is, but for its ids, dates and keys', async () => {
  const game = await db.games.findOne({ _id: siteId('game', 9) })
  const platformId = siteId('platform', 9 % 6)
  expect(game).toMatchObject({
    createdAt: expect.any(Date),
    updatedAt: expect.any(Date),
    platformIds: [platformId],
    release_dates: [{ platformId, region: 8 }],
    relatedGames: { similar_games: [siteId('game', 0)], parent_game: siteId('game', 1) },
    nameKey: expect.any(String),
    matchKeys: expect.any(Array),
    cover: 'https://images.site.example/9.jpg',
    __v: 3,
  })
  const mapped = await db.games.findOne<Document>({ _id: siteId('game', 13) })
  expect(mapped).toMatchObject({ platformIds: [siteId('platform', 1)], siteOnly: { a: [1] } })
  expect(await db.games.findOne({ _id: siteId('game', 11) })).toMatchObject({
    igdb: { gameId: 12 },
    hltb: { hltbId: '7' },
  })
  expect(await db.platforms.findOne({ _id: siteId('platform', 3) })).toMatchObject({ raConsoleId: 4, generation: 4 })
  expect(await db.characters.findOne({ _id: siteId('character', 0) })).toMatchObject({ gameIds: [siteId('game', 0)] })
})

it('an import keeps the bcrypt hash of a user, no role and no token', async () => {
  const [admin, unusable, moderator] = await Promise.all(
    [13, 9, 11].map((number) => db.users.findOne<Document>({ _id: siteId('user', number) })),
  )
  const royalGames = [siteId('game', 0), siteId('game', 1)]
  expect(admin).toMatchObject({
    email: 'reader.13@example.org',
    roles: ['user'],
    royalGames,
    createdAt: expect.any(Date),
  })
  expect(await isPassword(admin?.passwordHash, SITE_PASSWORD)).toBe(true)
  expect(admin).not.toHaveProperty('refreshToken')
  expect(unusable?.passwordHash).toBe('')
  expect(moderator?.roles).toEqual(['user'])
  expect(await db.presets.findOne({ _id: siteId('user', 15) })).toMatchObject({
    presets: [{ name: 'Mine', preset: [siteId('game', 0)] }],
  })
})

it('an import cleans the bodies of comments, takes those of deleted ones away, and counts votes and replies anew', async () => {
  const comments = await db.comments.find().toArray()
  const find = (number: number) => comments.find(({ _id }) => _id.equals(siteId('comment', number)))
  expect(find(1)?.body).toBe('<p>Thought 1</p>')
  expect(find(23)).toMatchObject({ status: 'deleted', body: '' })
  expect(find(27)).toMatchObject({ parentId: null, replyToId: null })
  expect(find(31)).toMatchObject({ replyToId: siteId('comment', 0), createdAt: new Date('2022-03-04T05:06:07Z') })
  expect(find(51)).toMatchObject({ parentId: siteId('comment', 0), replyToId: siteId('comment', 50) })
  expect(find(52)).toMatchObject({ parentId: siteId('comment', 0), replyToId: siteId('comment', 51) })

  const count = (test: (row: { collection: string; document: Document; fate: string }) => boolean) =>
    expected.filter(test).length
  const reports = await db.reports.find().toArray()
  expect(reports[0]).toMatchObject({ reason: 'spam', note: null, at: expect.any(Date), by: null })
  for (const { _id, status, likesCount, likedBy, repliesCount, reportsCount, reportedBy, ...rest } of comments) {
    const isOf = (collection: string) => (row: (typeof expected)[number]) =>
      row.collection === collection && row.fate === 'taken' && _id.equals(row.document.targetId)
    const replies = comments.filter(({ parentId, status }) => parentId?.equals(_id) && status === 'visible')
    const outcome = status === 'visible' ? null : 'acted-on'
    const reported = count(isOf('commentreports'))
    const votes = { likes: count(isOf('commentvotes')), reports: outcome === null ? reported : 0 }
    const stored = reports.filter(({ commentId }) => commentId.equals(_id)).map((report) => report.outcome)
    expect(stored).toEqual(Array(reported).fill(outcome))
    expect(rest.decidedReportsCount ?? 0).toBe(reported - votes.reports)
    expect({ likesCount, likes: likedBy?.length, reportsCount, reports: reportedBy?.length, repliesCount }).toEqual({
      likesCount: votes.likes,
      likes: votes.likes,
      reportsCount: votes.reports,
      reports: votes.reports,
      repliesCount: replies.length,
    })
  }
})

it('an import converts requests, and gives an author a slot for each pending one', async () => {
  const pending = await db.contentRequests.find({ userId: siteId('user', 1), status: 'pending' }).toArray()
  expect(pending.map(({ slot }) => slot).sort((a = 0, b = 0) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, slot) => slot),
  )
  const [request] = pending
  expect(request).toMatchObject({
    payload: { platformIds: [siteId('platform', 1).toHexString()] },
    createdAt: expect.any(Date),
  })
  expect(request).not.toHaveProperty('claimedAt')
  expect(await db.contentRequests.findOne({ _id: siteId('request', 6) })).toMatchObject({
    status: 'approved',
    decidedAt: new Date('2022-01-01'),
    decidedBy: null,
  })
})

it('an import matches waiting conflicts anew, and keeps decided ones as they ended', async () => {
  const find = (source: Source, externalId: string) => db.conflicts.findOne({ source, externalId })
  const waiting = await find('igdb', '8000')
  expect(waiting).toMatchObject({
    status: 'pending',
    externalData: {
      name: 'Lantern Keep',
      released: '2017-03-03',
      developers: ['North Pier'],
      platformIds: [siteId('platform', 0)],
    },
  })
  expect(await find('igdb', '8002')).toMatchObject({ externalData: { name: 'Lantern 2' } })
  expect(await find('vndb', 'v9001')).toMatchObject({ externalData: { released: '2019-04' } })
  expect(await find('hltb', siteId('game', 0).toHexString())).toMatchObject({
    entries: [{ id: '5' }, { id: '6', name: 'L' }],
  })
  const matched = { _id: siteId('conflict', 6), status: 'resolved', decision: 'match', winner: siteId('game', 0) }
  expect(await find('igdb', '8006')).toMatchObject({ ...matched, externalData: { name: 'Lantern Keep' } })
  const decidedBy = { userId: siteId('user', 0), userName: 'reader 0' }
  expect(await find('vndb', 'v8')).toMatchObject({ status: 'absent', decision: 'skip', winner: null, decidedBy })
})

it('an import converts notifications', async () => {
  const [reply, decided, moderated] = await db.notifications.find({}, { sort: { _id: 1 } }).toArray()
  const actors = [{ _id: siteId('user', 1), userName: 'reader 1' }]
  expect(reply).toMatchObject({
    type: 'comment-reply',
    actors,
    actorsCount: 1,
    gameId: siteId('game', 0),
    commentId: siteId('comment', 1),
    facts: null,
  })
  expect(decided).toMatchObject({ type: 'request-decided', facts: { status: 'approved', name: 'Ys' } })
  expect(moderated).toMatchObject({ type: 'comment-moderated', facts: { status: 'hidden' }, isRead: false })
  const times = [reply, decided, moderated].map((row) => Number(row?.updatedAt))
  expect(times).toEqual([0, 1, 2].map((passed) => Number(reply?.createdAt) + passed))
})

it('an import does not bring back what was deleted here, nor a like that was taken back', async () => {
  const liked = await db.comments.findOne({ likesCount: { $gt: 0 } })
  await db.comments.updateOne({ _id: liked?._id ?? new ObjectId() }, { $set: { likedBy: [], likesCount: 0 } })
  const deleted = await Promise.all([
    db.games.findOneAndDelete({}),
    db.users.findOneAndDelete({}),
    db.notifications.findOneAndDelete({}),
    db.contentRequests.findOneAndDelete({}),
  ])
  expect(deleted).not.toContain(null)
  const before = await readAll(db)
  await run()
  expect(await readAll(db)).toEqual(before)
})

it('an import gives a notification the next free millisecond where its own is taken here', async () => {
  const taken = await db.notifications.findOne({ userId: siteId('user', 0) })
  const { userId, updatedAt } = taken ?? {}
  const _id = new ObjectId()
  const payload = { status: 'hidden' }
  await site.collection('notifications').insertOne({ _id, userId, type: 'comment-moderated', payload, updatedAt })
  await run()
  expect(Number((await db.notifications.findOne({ _id }))?.updatedAt)).toBeGreaterThan(Number(updatedAt))
})

it('an import takes later additions of the site', async () => {
  const [game, comment] = [siteId('game', 5_000), siteId('comment', 5_000)]
  await site.collection('games').insertOne({ _id: game, name: 'Newer', slug: 'newer' })
  await site
    .collection('gamecomments')
    .insertOne({ _id: comment, gameId: game, userId: siteId('user', 0), body: 'new' })
  const { rows } = await run()
  expect([rows.get('games')?.taken, rows.get('comments')?.taken]).toEqual([1, 1])
})

describe('an import into a database that is in use', async () => {
  const other = await useDatabase()
  const at = new Date()
  const dates = { createdAt: at, updatedAt: at }

  it('leaves out users and games whose names are taken here, maps platforms, and keeps admins with --admins', async () => {
    const _id = new ObjectId()
    const more = { passwordHash: '', ...dates }
    await other.db.users.insertMany([
      { _id, userName: 'READER 0', email: 'r@example.org', ...more },
      { _id: new ObjectId(), userName: 'r2', email: 'reader.2@example.org', ...more },
    ])
    await other.db.platforms.insertOne({ _id, name: 'Windows', slug: 'pc', ...dates })
    const game = await site.collection('games').findOne({ _id: siteId('game', 20) })
    await other.db.games.insertOne({ _id, name: 'Ours', slug: game?.slug, ...dates })

    const { rows, leftOut } = await run({ target: other.db, areAdminsKept: true })
    const reasonOf = (id: ObjectId) => leftOut.find((each) => id.equals(String(each._id)))?.reason
    expect(reasonOf(siteId('user', 0))).toBe('its userName is taken here: reader 0')
    expect(reasonOf(siteId('user', 2))).toBe('its email is taken here: reader 2')
    expect(reasonOf(siteId('game', 20))).toBe('its slug is taken here')
    expect(rows.get('platforms')?.mapped).toBe(2)
    expect(await other.db.games.findOne({ _id: siteId('game', 0) })).toMatchObject({ platformIds: [_id] })
    expect(await other.db.users.findOne({ _id: siteId('user', 13) })).toMatchObject({ roles: ['user', 'admin'] })
    // The comments of a game stay behind with it.
    expect(await other.db.comments.countDocuments({ gameId: siteId('game', 20) })).toBe(0)
  })
})
