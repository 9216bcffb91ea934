import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { watchDiscussion } from '../../support/clients/watch-discussion.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../support/processes/database-proxy.ts'
import { type DiscussionScene, startDiscussion } from '../../support/scenes/discussion-scene.ts'
import { captureLog } from '../../support/service/capture-log.ts'

let scene: DiscussionScene
beforeAll(async () => {
  scene = await startDiscussion()
})
afterAll(() => scene.service.close())

const actionsAbout = async (commentId: ObjectId) =>
  (
    await scene.service.db.staffActions.find({ 'target.id': String(commentId) }, { sort: { at: 1, _id: 1 } }).toArray()
  ).map(({ action, admin }) => ({ action, by: String(admin?.userId) }))

it('each thing that an admin does to a comment of somebody else leaves one entry, what changes nothing none', async () => {
  const { admin, reader, insert } = scene
  const commentId = await insert()
  const set = (status: string) => admin.patch(`/comments/${commentId}/status`, { body: { status } })
  await set('visible')
  await set('hidden')
  await set('hidden')
  await set('visible')
  await reader.post(`/comments/${commentId}/report`)
  await set('visible')
  await admin.delete(`/comments/${commentId}`)

  const by = admin.id
  expect(await actionsAbout(commentId)).toEqual([
    { action: 'comment-hidden', by },
    { action: 'comment-shown', by },
    { action: 'reports-cleared', by },
    { action: 'comment-deleted', by },
  ])
  const stored = await scene.service.db.staffActions.find().toArray()
  expect(JSON.stringify(stored)).not.toContain('Hello')
})

it('what somebody does to an own comment leaves none', async () => {
  const { admin, author, insert } = scene
  const [mine, theirs] = [await insert({ userId: new ObjectId(admin.id) }), await insert()]
  await admin.patch(`/comments/${mine}/status`, { body: { status: 'hidden' } })
  await admin.delete(`/comments/${mine}`)
  await author.delete(`/comments/${theirs}`)
  expect([...(await actionsAbout(mine)), ...(await actionsAbout(theirs))]).toEqual([])
})

describe('while the log of what staff did', () => {
  let proxy: DatabaseProxy
  let own: DiscussionScene
  const { log, lines } = captureLog()
  beforeAll(async () => {
    proxy = await startDatabaseProxy()
    own = await startDiscussion({ mongodbUri: proxy.uri, feedUri: proxy.target, timeoutMs: 12_000, log })
  })
  afterAll(async () => {
    await own.service.close()
    await proxy.close()
  })

  const CHANGES = [
    {
      title: 'hidden',
      change: (id: ObjectId) => own.admin.patch(`/comments/${id}/status`, { body: { status: 'hidden' } }),
    },
    { title: 'deleted', change: (id: ObjectId) => own.admin.delete(`/comments/${id}`) },
  ]

  it.each(CHANGES)('is slow, readers hear at once that a comment was $title', async ({ title, change }) => {
    const commentId = await own.insert()
    const reader = await watchDiscussion(own.service.baseUrl, own.gameId)
    const release = proxy.holdCommands('staffActions')
    let isAnswered = false
    const changing = change(commentId).finally(() => {
      isAnswered = true
    })
    await vi.waitUntil(async () => (await reader.seen()).length === 1, { timeout: 10_000, interval: 20 })
    expect(isAnswered).toBe(false)
    release()
    expect((await changing).body).toMatchObject({ status: title })
    expect(await own.service.db.staffActions.countDocuments({ 'target.id': String(commentId) })).toBe(1)
    reader.close()
  })

  it.each(CHANGES)('takes nothing, a comment is $title all the same, and the failure is logged', async (each) => {
    const commentId = await own.insert()
    const reader = await watchDiscussion(own.service.baseUrl, own.gameId)
    const { db, close } = own.service.db.connectFeed()
    await db.command({ collMod: 'staffActions', validator: { nothing: 1 } })
    expect((await each.change(commentId)).body).toMatchObject({ status: each.title })
    expect(await reader.seen()).toHaveLength(1)
    expect(lines.filter(({ msg }) => msg === 'a staff action could not be recorded').at(-1)).toMatchObject({
      target: { id: String(commentId) },
    })
    await db.command({ collMod: 'staffActions', validator: {} })
    await close()
    reader.close()
  })
})
