import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { RequestFacts } from '#lib/infrastructure/db/collections/notifications'
import { openClient, untilConnected } from '../support/clients/clients.ts'
import { insertComment, insertGame, insertNotification } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

/** The form that the site's client reads, written from the specification and not from the contract. */
const id = z.string().regex(/^[0-9a-f]{24}$/)
const fields = z.array(z.string()).nullable()
const item = z.strictObject({
  _id: id,
  type: z.enum(['comment-reply', 'request-decided', 'comment-moderated', 'report-decided', 'account-suspended']),
  actors: z.array(z.strictObject({ _id: id, userName: z.string() })).max(3),
  actorsCount: z.int().min(0),
  payload: z.strictObject({
    gameSlug: z.string().nullable(),
    gameName: z.string().nullable(),
    gameId: id.nullable(),
    decision: z.enum(['approve', 'reject']).nullable(),
    requestKind: z.enum(['game', 'character']).nullable(),
    requestName: z.string().nullable(),
    requestId: id.nullable(),
    reason: z.string().nullable(),
    status: z.enum(['visible', 'hidden', 'deleted']).nullable(),
    commentId: id.nullable(),
    excerpt: z.string().nullable(),
    appliedFields: fields,
    leftOut: fields,
    failedFields: fields,
    outcome: z.enum(['acted-on', 'kept']).nullable(),
    count: z.int().min(1),
    until: z.iso.datetime().nullable(),
  }),
  isRead: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
const count = z.strictObject({ unreadCount: z.int().min(0) })
const page = z.strictObject({ items: z.array(item), ...count.shape, nextCursor: z.iso.datetime().nullable() })
const created = z.strictObject({ notification: item, ...count.shape })

const service = await useService()
const { db } = service
const gameId = await insertGame(db, { name: 'Lantern Keep' })
const until = new Date('2030-01-01T00:00:00Z')

/** A user with a notification of every type, the oldest first. */
async function filledUser() {
  const caller = await service.caller()
  const userId = new ObjectId(caller.id)
  const commentId = await insertComment(db, { gameId, userId: new ObjectId(), body: '<p>Well said</p>' })
  const bob = { _id: new ObjectId(), userName: 'bob' }
  const decided: RequestFacts = {
    kind: 'game',
    action: 'update',
    name: 'Ikaruga',
    status: 'approved',
    reason: 'Thanks',
    appliedFields: ['modes'],
    leftOut: ['name'],
    failedFields: ['cover'],
  }
  const replied = { count: 3, actors: [bob], actorsCount: 1, gameId, commentId }
  const ids = [
    await insertNotification(db, { userId, type: 'comment-reply', ...replied }),
    await insertNotification(db, { userId, type: 'request-decided', requestId: new ObjectId(), facts: decided }),
    await insertNotification(db, { userId, type: 'report-decided', count: 2, facts: { outcome: 'acted-on' } }),
    await insertNotification(db, {
      userId,
      type: 'comment-moderated',
      gameId,
      facts: { status: 'hidden', reason: null },
    }),
    await insertNotification(db, { userId, type: 'account-suspended', facts: { until, reason: 'Spam' } }),
  ]
  const get = async (path: string) => (await caller.get(`/notifications${path}`)).body
  return { ...caller, userId, ids, get }
}

const COMMON = [3, 1, 0]
const ALL = [4, 3, 2, 1, 0]
const typesOf = ({ items }: z.infer<typeof page>) => items.map(({ type }) => type)

it('200 with exactly the form of the site, for every type', async () => {
  const { get } = await filledUser()
  const { items } = page.parse(await get('?types=all'))
  expect(items.map(({ payload }) => Object.entries(payload).filter(([, value]) => value !== null))).toEqual(
    [
      { reason: 'Spam', until: until.toISOString(), count: 1 },
      { gameId: String(gameId), gameName: 'Lantern Keep', status: 'hidden', count: 1 },
      { outcome: 'acted-on', count: 2 },
      { decision: 'approve', requestKind: 'game', requestName: 'Ikaruga', reason: 'Thanks', count: 1 },
      { gameId: String(gameId), gameName: 'Lantern Keep', excerpt: 'Well said', count: 3 },
    ].map((payload) => expect.arrayContaining(Object.entries(payload))),
  )
  expect(items[3]?.payload).toMatchObject({ appliedFields: ['modes'], leftOut: ['name'], failedFields: ['cover'] })
  expect(items[4]).toMatchObject({ actors: [{ userName: 'bob' }], actorsCount: 1 })
})

it('200 with decided reports and suspensions, listed and counted, for types=all only', async () => {
  const { ids, get } = await filledUser()
  for (const [query, expected] of [
    ['', COMMON],
    ['types=all', ALL],
  ] as const) {
    const listed = page.parse(await get(`?${query}`))
    expect(listed.items.map(({ _id }) => ids.indexOf(_id))).toEqual(expected)
    expect(listed).toMatchObject({ unreadCount: expected.length, nextCursor: null })
    expect(count.parse(await get(`/unread-count?${query}`))).toEqual({ unreadCount: expected.length })
    const first = page.parse(await get(`?take=2&${query}`))
    const rest = page.parse(await get(`?take=50&before=${first.nextCursor}&${query}`))
    expect([...first.items, ...rest.items]).toEqual(listed.items)
    expect(first.nextCursor).toBe(first.items[1]?.updatedAt)
  }
})

it('200: reading all or up to a time leaves other types unread, and reading by id reads them', async () => {
  const { ids, get, patch, delete: remove } = await filledUser()
  const [newest] = page.parse(await get('?types=all')).items
  const read = async (body: unknown, query = '') =>
    count.parse((await patch(`/notifications/read${query}`, { body })).body).unreadCount

  expect(await read({ until: newest?.updatedAt })).toBe(0)
  expect(typesOf(page.parse(await get('?types=all&unread=true')))).toEqual(['account-suspended', 'report-decided'])
  expect(typesOf(page.parse(await get('?unread=true')))).toEqual([])
  expect(page.parse(await get('?unread=false')).items).toHaveLength(3)
  expect(await read({ ids: [ids[2]] })).toBe(0)
  expect(await get('/unread-count?types=all')).toEqual({ unreadCount: 1 })
  expect(await read({ all: true })).toBe(0)
  expect(await get('/unread-count?types=all')).toEqual({ unreadCount: 1 })
  expect(await read({ all: true }, '?types=all')).toBe(0)
  const removed = await remove(`/notifications/${ids[4]}?types=all`)
  expect(removed).toMatchObject({ status: 200, body: { unreadCount: 0 } })
  expect(typesOf(page.parse(await get('?types=all')))[0]).toBe('comment-moderated')
})

it.each(['unread=yes', 'types=some', 'before=yesterday', 'take=51'])('400 for %s', async (query) => {
  expect((await (await service.caller()).get(`/notifications?${query}`)).status).toBe(400)
})

it('the events have the form of the site', async () => {
  const { cookie, userId, delete: remove } = await filledUser()
  const socket = openClient(service.baseUrl, '/notifications', { cookie, query: { types: 'all' } })
  const received: [string, unknown][] = []
  socket.onAny((event: string, payload: unknown) => received.push([event, payload]))
  await untilConnected(socket)
  const _id = await insertNotification(db, {
    userId,
    type: 'account-suspended',
    facts: { until: null, reason: 'Spam' },
  })
  await remove(`/notifications/${_id}`)

  await expect.poll(() => received.at(-1)).toEqual(['notifications:count', { unreadCount: 5 }])
  for (const [event, payload] of received) (event === 'notification:new' ? created : count).parse(payload)
})
