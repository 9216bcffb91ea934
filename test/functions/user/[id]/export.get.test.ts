import { ObjectId } from 'mongodb'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { insertGame, insertRows, newComment } from '../../../support/rows/rows.ts'
import { fillAccount, textOf } from '../../../support/scenes/account-scene.ts'
import { useService } from '../../../support/service/start-service.ts'
import { usedHeap } from '../../../support/tools/used-heap.ts'

const service = await useService()
const { db } = service

const hex = (id: unknown) => String(id)
const iso = (date: Date | undefined) => date?.toISOString()

it('200 with everything of the user, field by field as the database has it, and nothing of admins', async () => {
  const [user, reader] = [await service.caller(), await service.caller()]
  const admin = await service.caller({ isAdmin: true, userName: 'the-admin' })
  const gameId = await insertGame(db)
  const filled = await fillAccount(service, user, { gameId, reader })
  await admin.patch(`/comments/${filled.reply}/status`, { body: { status: 'hidden' } })
  await admin.post(`/requests/${filled.pending._id}/decision`, { body: { decision: 'reject', reason: 'No' } })
  const answer = await user.get(`/user/${user.id}/export`)
  const userId = new ObjectId(user.id)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="gamehall-account.json"')
  const { body } = answer
  expect(Object.keys(body)).toEqual([
    'profile',
    'comments',
    'likes',
    'reports',
    'royalGames',
    'presets',
    'requests',
    'notifications',
    'sessions',
    'suspensions',
  ])
  const stored = await db.users.findOne({ _id: userId })
  expect(body.profile).toEqual({
    _id: user.id,
    userName: stored?.userName,
    email: stored?.email,
    avatar: service.deps.storage.addressOf(filled.avatar),
    description: stored?.description,
    roles: stored?.roles,
    createdAt: iso(stored?.createdAt),
    updatedAt: iso(stored?.updatedAt),
  })
  const comments = await db.comments.find({ userId }).sort({ createdAt: -1, _id: -1 }).toArray()
  expect(body.comments).toEqual(
    comments.map(({ parentId, replyToId, ...row }) => ({
      _id: hex(row._id),
      gameId: hex(row.gameId),
      parentId: parentId && hex(parentId),
      replyToId: replyToId && hex(replyToId),
      body: row.body,
      isSpoiler: row.isSpoiler,
      status: row.status,
      likesCount: row.likesCount,
      repliesCount: row.repliesCount,
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
    })),
  )
  const votes = async (field: 'likedBy' | 'reportedBy') => {
    const rows = await db.comments.find({ [field]: userId }, { sort: { _id: 1 } }).toArray()
    return rows.map((row) => ({ commentId: hex(row._id), gameId: hex(row.gameId) }))
  }
  expect(body.likes).toEqual(await votes('likedBy'))
  const reports = await votes('reportedBy')
  const bare = { reason: null, note: null, at: expect.any(String), outcome: null }
  expect(body.reports).toHaveLength(reports.length)
  expect(body.reports).toEqual(expect.arrayContaining(reports.map((report) => ({ ...report, ...bare }))))
  expect(body.likes.length * body.reports.length).toBeGreaterThan(0)
  expect(body.royalGames).toEqual([hex(gameId)])
  expect(body.presets).toEqual([{ name: textOf(user), preset: [hex(gameId)] }])
  expect(body.requests).toEqual((await user.get('/requests/mine?take=100')).body.results)
  expect(body.requests).toHaveLength(await db.contentRequests.countDocuments({ userId }))
  const notifications = await db.notifications.find({ userId }).sort({ updatedAt: -1, _id: -1 }).toArray()
  expect(body.notifications.map(({ _id }: { _id: string }) => _id)).toEqual(notifications.map(({ _id }) => hex(_id)))
  expect(body.sessions).toEqual([])
  expect(body.suspensions).toEqual([])
  expect(JSON.stringify(body)).not.toContain('the-admin')
  expect(JSON.stringify(body)).not.toMatch(/passwordHash|reportedBy|likedBy|sentBy/)
})

it('403 for others, admins too; 429 after five begun in an hour', async () => {
  const [user, admin] = [await service.caller(), await service.caller({ isAdmin: true })]
  expect((await admin.get(`/user/${user.id}/export`)).status).toBe(403)
  const answers = []
  for (let count = 0; count < 6; count++) answers.push((await user.get(`/user/${user.id}/export`)).status)

  expect(answers).toEqual([200, 200, 200, 200, 200, 429])
})

it('200: an export of any size keeps the memory flat', async () => {
  const user = await service.caller()
  const gameId = await insertGame(db)
  const facts = { gameId, userId: new ObjectId(user.id), body: 'x'.repeat(16_000) }
  const count = 2_500
  await insertRows(
    db.comments,
    Array.from({ length: count }, () => newComment(facts)),
  )
  const { body } = await request(`${service.baseUrl}/user/${user.id}/export`, { headers: { cookie: user.cookie } })
  const before = usedHeap()
  let [bytes, most] = [0, 0]
  for await (const part of body) {
    const step = Math.floor(bytes / 10_000_000)
    bytes += part.length
    if (Math.floor(bytes / 10_000_000) > step) most = Math.max(most, usedHeap() - before)
  }
  expect(bytes).toBeGreaterThan(16_000 * count)
  expect(most).toBeLessThan(12 * 1024 * 1024)
})
