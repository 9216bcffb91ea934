import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { CommentDocument } from '#lib/infrastructure/db/collections/comments'
import { type Caller, idsOf } from '../../../support/clients/caller.ts'
import { expectIndexed, profile } from '../../../support/clients/profile.ts'
import { insertComment, insertGame } from '../../../support/rows/rows.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import { useService } from '../../../support/service/start-service.ts'

const env = { HOLD_FIRST_COMMENTS: '2', COMMENTS_PER_MINUTE: '1000', COMMENT_CHANGES_PER_MINUTE: '1000' }
const { service, other, admin, reader, watchBoth, atOther, caughtUp } = await useTwins({ env }, { env })
const { db } = service
const SECRET = 'buy it at our place'

const stored = (id: string) => db.comments.findOne({ _id: new ObjectId(id) })
const keep = (id: string) => admin.post(`/reports/${id}/decision`, { body: { action: 'keep' } })
const post = (caller: Caller, gameId: ObjectId, facts: object = {}) =>
  caller.post('/comments', { body: { gameId, body: SECRET, ...facts } })
const edit = (caller: Caller, id: string, body: object) => caller.patch(`/comments/${id}`, { body })

/** Inserts a game with a visible thread, and creates an author who has no visible comment yet. */
async function start() {
  const gameId = await insertGame(db, { name: `Game ${new ObjectId()}` })
  const [author, threadAuthor] = [await service.caller(), await service.caller()]
  const threadId = String(await insertComment(db, { gameId, userId: new ObjectId(threadAuthor.id) }))
  const readBy = async (caller: Caller) => {
    const paths = [`/games/${gameId}/comments`, `/games/${gameId}/comments?sort=new`, `/comments/${threadId}/replies`]
    return await Promise.all(paths.map((path) => caller.get(path)))
  }
  return { gameId, author, threadAuthor, threadId, readBy }
}
const insertOf = (caller: Caller, facts: Partial<CommentDocument> = {}) =>
  insertComment(db, { gameId: new ObjectId(), userId: new ObjectId(caller.id), ...facts })

it('201 with status hidden for a comment and a reply of a new author, who alone reads them', async () => {
  const { gameId, author, threadAuthor, threadId, readBy } = await start()
  const tabs = await watchBoth(gameId)
  const before = await Promise.all([reader, service.guest, other.guest].map(readBy))
  const answers = [await post(author, gameId), await post(author, gameId, { parentId: threadId })]
  await caughtUp()

  for (const { status, body } of answers) {
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'hidden', isHeld: true, body: SECRET, author: { _id: author.id } })
    expect((await author.get(`/comments/${body._id}`)).body).toEqual(body)
    for (const caller of [reader, threadAuthor, service.guest, other.guest]) {
      expect((await caller.get(`/comments/${body._id}`)).status).toBe(404)
      expect((await caller.get(`/comments/${body._id}/replies`)).body.results).toEqual([])
    }
    for (const response of [
      await reader.put(`/comments/${body._id}/like`),
      await reader.post(`/comments/${body._id}/report`),
    ])
      expect(response.status).toBe(404)
    for (const caller of [reader, author]) expect((await post(caller, gameId, { parentId: body._id })).status).toBe(400)
  }
  const [top, reply] = answers.map(({ body }) => body._id)
  expect(
    (await Promise.all([reader, service.guest, other.guest].map(readBy))).map((lists) => lists.map(({ body }) => body)),
  ).toEqual(before.map((lists) => lists.map(({ body }) => body)))
  for (const tab of tabs) expect(await tab.seen()).toEqual([])
  expect(await stored(threadId)).toMatchObject({ repliesCount: 0 })
  expect((await threadAuthor.get('/notifications')).body).toMatchObject({ items: [], unreadCount: 0 })
  for (const { guest } of [service, other])
    expect(JSON.stringify((await guest.get('/discussions')).body)).not.toContain(SECRET)
  expect(JSON.stringify((await threadAuthor.get(`/user/${threadAuthor.id}/export`)).body)).not.toContain(SECRET)
  expect(JSON.stringify((await author.get(`/user/${author.id}/export`)).body)).toContain(SECRET)

  for (const caller of [author, atOther(author)]) {
    const [best, newest, replies] = await readBy(caller)
    expect(best?.body).toMatchObject({
      total: 2,
      results: [
        { _id: top, isHeld: true },
        { _id: threadId, repliesCount: 0, hasHeldReplies: true },
      ],
    })
    expect(newest && idsOf(newest)).toEqual([top, threadId])
    expect(replies?.body).toMatchObject({ total: 1, results: [{ _id: reply, isHeld: true, body: SECRET }] })
  }
  const { body } = await admin.get('/reports?held=true&take=50')
  const held = body.results.map(({ comment }: { comment: { _id: string } }) => comment._id)
  expect(held).toEqual(expect.arrayContaining([top, reply]))
})

it('200: the author pages through a list with comments that wait, each once and in order', async () => {
  const { gameId, author, threadId } = await start()
  for (let at = 0; at < 7; at++) {
    const facts = at % 2 ? { parentId: threadId } : {}
    await (at % 3 ? post(author, gameId, facts) : post(admin, gameId, facts))
  }
  for (const path of [`/games/${gameId}/comments?sort=new&`, `/comments/${threadId}/replies?`]) {
    const whole = await author.get(`${path}take=50`)
    const ids = idsOf(whole)
    expect(whole.body.total).toBe(ids.length)
    const pages = [1, 2, 3, 4].map(async (page) => idsOf(await author.get(`${path}take=2&page=${page}`)))
    expect((await Promise.all(pages)).flat()).toEqual(ids)
    const [{ likesCount, createdAt, _id }] = whole.body.results
    expect(idsOf(await author.get(`${path}after=${likesCount}_${createdAt}_${_id}`))).toEqual(ids.slice(1))
  }
  const ids = idsOf(await author.get(`/comments/${threadId}/replies`))
  const around = await author.get(`/comments/${threadId}/replies?around=${ids[1]}&take=3`)
  expect(idsOf(around)).toEqual(ids.slice(0, 3))
})

it('200: a held comment that several admins keep at once is shown by one event, counted once, and notifies once', async () => {
  const { gameId, author, threadAuthor, threadId } = await start()
  for (const at of [0, 1]) {
    const { body: reply } = await post(author, gameId, { parentId: threadId })
    const tabs = await watchBoth(gameId)
    const ways = [
      () => keep(reply._id),
      () => admin.patch(`/comments/${reply._id}/status`, { body: { status: 'visible' } }),
      () => atOther(admin).post(`/reports/${reply._id}/decision`, { body: { action: 'keep' } }),
    ]
    const statuses = (await Promise.all(ways.map((way) => way()))).map(({ status }) => status)
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    await caughtUp()

    const subject = { gameId: String(gameId), commentId: reply._id, parentId: threadId }
    const shown = { event: 'comment:status', payload: { ...subject, parentRepliesCount: at + 1, status: 'visible' } }
    for (const tab of tabs) expect(await tab.seen()).toEqual([shown])
    expect((await reader.get(`/comments/${reply._id}`)).body).toMatchObject({ status: 'visible', body: SECRET })
    expect((await author.get(`/comments/${reply._id}`)).body).not.toHaveProperty('isHeld')
    const { items } = (await threadAuthor.get('/notifications')).body
    expect(items).toMatchObject([
      { type: 'comment-reply', actorsCount: 1, payload: { count: at + 1, commentId: reply._id } },
    ])
    expect((await keep(reply._id)).status).toBe(409)
  }
  // Two are kept.
  expect((await post(author, gameId, { parentId: threadId })).body).toMatchObject({ status: 'visible' })
})

it('201 visible for an author with visible comments of before, and for an admin', async () => {
  const { gameId, author } = await start()
  await insertOf(author)
  await insertOf(author, { status: 'hidden' })
  await insertOf(author, { status: 'deleted' })
  expect((await post(author, gameId)).body).toMatchObject({ status: 'hidden' })
  await insertOf(author)
  expect((await post(author, gameId)).body).toMatchObject({ status: 'visible' })
  expect((await post(await service.caller({ isAdmin: true }), gameId)).body).toMatchObject({ status: 'visible' })
})

it('201: a comment that its author deletes still counts as visible, unless it was reported or held', async () => {
  const { gameId, author } = await start()
  const { body: held } = await post(author, gameId)
  const [reported, kept] = [String(await insertOf(author)), String(await insertOf(author))]
  await reader.post(`/comments/${reported}/report`)
  for (const id of [held._id, reported, kept]) await author.delete(`/comments/${id}`)
  expect((await post(author, gameId)).body).toMatchObject({ status: 'hidden' })
  await insertOf(author)
  expect((await post(author, gameId)).body).toMatchObject({ status: 'visible' })
})

it('200: a kept comment that its author edits waits again until two are kept, and notifies no second time', async () => {
  const { gameId, author, threadAuthor, threadId, readBy } = await start()
  const { body: reply } = await post(author, gameId, { parentId: threadId })
  await keep(reply._id)
  await insertOf(threadAuthor, { gameId, parentId: new ObjectId(threadId), replyToId: new ObjectId(reply._id) })
  const tabs = await watchBoth(gameId)
  expect((await edit(author, reply._id, { body: reply.body })).body).toMatchObject({ status: 'visible' })
  const edited = await edit(author, reply._id, { body: `${SECRET}!` })
  expect(edited.body).toMatchObject({ status: 'hidden', isHeld: true, body: `${SECRET}!` })
  await caughtUp()
  const subject = { gameId: String(gameId), commentId: reply._id, parentId: threadId }
  const hidden = { event: 'comment:status', payload: { ...subject, parentRepliesCount: 0, status: 'hidden' } }
  for (const tab of tabs) expect(await tab.seen()).toEqual([hidden])
  expect((await threadAuthor.get('/notifications')).body).toMatchObject({ items: [], unreadCount: 0 })
  for (const lists of await Promise.all([author, reader, other.guest].map(readBy)))
    expect(JSON.stringify(lists.map(({ body }) => body)).includes(SECRET)).toBe(
      lists[2]?.body.results.some(({ isHeld = false }) => isHeld),
    )

  await keep(reply._id)
  expect((await threadAuthor.get('/notifications')).body).toMatchObject({ items: [] })
  expect(await stored(threadId)).toMatchObject({ repliesCount: 1 })
  await insertOf(author)
  const trusted = await edit(author, reply._id, { body: 'Trusted' })
  expect(trusted.body).toMatchObject({ status: 'visible', body: 'Trusted' })
})

it('200: a thread that waits again shows its text to its author alone, also where the setting is off', async () => {
  const { gameId, author } = await start()
  const { body: top } = await post(author, gameId)
  await keep(top._id)
  await post(admin, gameId, { parentId: top._id })
  await edit(author, top._id, { isSpoiler: true })
  expect(await stored(top._id)).toMatchObject({ status: 'hidden' })
  const off = await useService({ mongodbUri: service.mongodbUri })
  for (const { baseUrl } of [service, off]) {
    for (const cookie of [author.cookie, reader.cookie, '']) {
      const answer = await fetch(`${baseUrl}/games/${gameId}/comments`, { headers: { cookie } })
      expect((await answer.text()).includes(SECRET)).toBe(cookie === author.cookie)
    }
  }
})

it('200: the author edits and deletes a comment that waits, without an event', async () => {
  const { gameId, author } = await start()
  const tabs = await watchBoth(gameId)
  for (const decide of [false, true]) {
    const { body: comment } = await post(author, gameId)
    const edited = await edit(author, comment._id, { body: 'Another text' })
    expect(edited.body).toMatchObject({ status: 'hidden', isHeld: true, body: 'Another text' })
    expect((await edit(reader, comment._id, { body: 'Mine' })).status).toBe(403)
    if (decide) {
      await admin.post(`/reports/${comment._id}/decision`, { body: { action: 'hide' } })
      expect((await author.get(`/comments/${comment._id}`)).status).toBe(404)
      expect((await edit(author, comment._id, { body: 'Once more' })).status).toBe(403)
    }
    expect((await author.delete(`/comments/${comment._id}`)).status).toBe(200)
    expect(await stored(comment._id)).not.toHaveProperty('isUnshown')
    expect((await keep(comment._id)).status).toBe(409)
  }
  await caughtUp()
  for (const tab of tabs) expect(await tab.seen()).toEqual([])
})

it('a kept reply notifies nobody when the replied-to comment was deleted meanwhile', async () => {
  const { gameId, author, threadAuthor, threadId } = await start()
  const { body: reply } = await post(author, gameId, { parentId: threadId })
  await threadAuthor.delete(`/comments/${threadId}`)
  expect((await keep(reply._id)).status).toBe(200)
  expect((await threadAuthor.get('/notifications')).body.items).toEqual([])
  expect(await stored(threadId)).toMatchObject({ repliesCount: 1 })
})

it('a comment posted while two are kept is visible only if both were visible', async () => {
  for (let round = 0; round < 12; round += 2) {
    const { gameId, author } = await start()
    const first = await Promise.all([post(author, gameId), post(atOther(author), gameId)])
    const late = new Promise((resolve) => setTimeout(resolve, round)).then(() => post(author, gameId))
    await Promise.all(first.map(({ body }) => keep(body._id)))
    const { body } = await late
    const visible = await db.comments.countDocuments({ userId: new ObjectId(author.id), status: 'visible' })
    expect(visible).toBe(body.status === 'visible' ? 3 : 2)
    expect((await post(author, gameId)).body.status).toBe('visible')
  }
})

it('200: a reader without held comments gets the shared answer, and no query is added where the setting is off', async () => {
  const { gameId, author, threadId, readBy } = await start()
  const off = await useService({ mongodbUri: service.mongodbUri })
  const read = () => fetch(`${off.baseUrl}/games/${gameId}/comments`, { headers: { cookie: author.cookie } })
  await read()
  expect(await profile(off.db, 'comments', read)).toEqual([])
  await post(author, gameId, { parentId: threadId })
  const held = await profile(service.db, 'comments', () => readBy(author))
  expect(held.length).toBeGreaterThan(3)
  expectIndexed(held, { keys: 10 })
  const [guests, readers] = [await readBy(service.guest), await readBy(reader)]
  expect(readers.map(({ body }) => body)).toEqual(guests.map(({ body }) => body))
})
