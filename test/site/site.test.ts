import { ObjectId } from 'mongodb'
import type { Socket } from 'socket.io-client'
import { afterAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Answer, Caller } from '../support/clients/caller.ts'
import { ask, openClient, untilConnected } from '../support/clients/clients.ts'
import { createDevice } from '../support/clients/device.ts'
import { insertCharacter, insertConflict, insertGame } from '../support/rows/rows.ts'
import { startService } from '../support/service/start-service.ts'
import * as site from './schemas.ts'

// A client walks through the whole service and reads every answer and event with schemas of its own.

const service = await startService({ isWriting: true, batchLimits: { pollMs: 50 } })
const alice = await service.caller({ userName: 'alice' })
const bob = await service.caller({ userName: 'bob' })
const carol = await service.caller({ userName: 'carol', isAdmin: true })
const at = new Date()
await service.db.platforms.insertOne({
  _id: new ObjectId(),
  name: 'Super Nintendo',
  slug: 'snes',
  createdAt: at,
  updatedAt: at,
})
const name = 'Lantern Keep'
const keys = { nameKey: 'lantern keep', searchWords: ['lantern', 'keep'], matchKeys: ['=lantern keep'] }
const gameId = (
  await insertGame(service.db, { name, slug: 'lantern-keep', hltb: { hltbId: '42' }, ...keys })
).toHexString()
const otherId = (
  await insertGame(service.db, { name: 'Other', slug: 'other', cover: 'https://x.example/c' })
).toHexString()
const sockets: Socket[] = []
const seen: { event: string; payload: unknown }[] = []
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await service.close()
})

async function connect(namespace: string, { cookie }: Caller): Promise<Socket> {
  const socket = openClient(service.baseUrl, namespace, { cookie })
  sockets.push(socket)
  socket.onAny((event: string, payload: unknown) => seen.push({ event, payload }))
  return untilConnected(socket)
}

async function read<T extends z.ZodType>(answering: Promise<Answer>, schema: T, status = 200): Promise<z.output<T>> {
  const { status: answered, body } = await answering
  expect([answered, body]).toEqual([status, body])
  return schema.parse(body)
}

/** Waits until an event was seen, and reads all of its name. */
async function expectEvents(name: string): Promise<void> {
  await expect.poll(() => seen.some(({ event }) => event === name), { timeout: 30_000 }).toBe(true)
  for (const { event, payload } of seen) site.events[event]?.parse(payload)
  expect(seen.map(({ event }) => event).filter((event) => !(event in site.events))).toEqual([])
}

describe('the site reads', () => {
  test('sign-up, sign-in and sign-out', async () => {
    const device = createDevice(service.guest)
    const account = { userName: 'dora', email: 'dora@example.com', password: 'correct horse battery' }
    const { userId } = await read(device.post('/auth/signup', { body: account }), site.signedIn)
    await read(device.post('/auth/refresh-token'), site.signedIn)
    await device.post('/auth/logout')
    await read(device.post('/auth/login', { body: account }), site.signedIn)
    const changed = { currentPassword: account.password, newPassword: 'another good password' }
    await read(device.put('/auth/password', { body: changed }), site.signedIn)
    expect((await device.post(`/auth/${userId}/logout`)).status).toBe(200)
    await read(device.post('/auth/login', { body: account }), site.failure, 401)
    await read(device.post('/auth/login', { body: {} }), site.failure, 400)
  })

  test('profiles and presets, as a text and as a list', async () => {
    await read(alice.get(`/user/${bob.id}`), site.user)
    await read(service.guest.get('/user/search?searchString=BOB'), site.user)
    await read(alice.get(`/user/${otherId}`), site.failure, 404)
    const path = `/user/presets/${alice.id}`
    await read(alice.put(path, { body: { name: 'text', preset: '[]' } }), site.presets)
    await read(alice.put(path, { body: { name: 'list', preset: [gameId, otherId] } }), site.presets)
    const { presets } = await read(alice.get(path), site.presets)
    expect(presets).toEqual([
      { name: 'text', preset: '[]' },
      { name: 'list', preset: [gameId, otherId] },
    ])
    await read(alice.delete(`${path}?name=text`), site.presets)

    const royal = await connect('/royal', alice)
    await connect('/royal', alice)
    site.royalList.parse(await ask(royal, 'royal:set', { gameIds: presets[1]?.preset }))
    site.royalList.parse(await ask(royal, 'royal:add', { gameIds: [gameId, bob.id], position: 'start' }))
    site.royalList.parse(await ask(royal, 'royal:remove', { gameIds: [gameId] }))
    site.royalList.parse(await ask(royal, 'royal:sync', {}))
    site.refusedAck.parse(await ask(royal, 'royal:add', { gameIds: [] }))
    await expectEvents('royal:changed')
  })

  test('the catalogue', async () => {
    const { results } = await read(service.guest.get('/games/search?searchString=lantern'), site.games)
    expect(results.map(({ slug }) => slug)).toEqual(['lantern-keep'])
    expect((await read(service.guest.get(`/games/${gameId}`), site.game)).cover).toBeNull()
    expect((await read(service.guest.get('/games/other'), site.game)).cover).toBe('https://x.example/c')
    const rows = await read(service.guest.get(`/games/by-ids?_ids=${otherId}&_ids=${gameId}`), site.gameRows)
    expect(rows.map(({ slug }) => slug)).toEqual(['other', 'lantern-keep'])
    await read(service.guest.get('/games/nothing'), site.failure, 404)

    await insertCharacter(service.db, { name: 'Wick', slug: 'wick', nameKey: 'wick', searchWords: ['wick'] })
    await read(service.guest.get('/characters/search?searchString=wi'), site.characters)
    await read(service.guest.get('/characters/wick'), site.character)
    await read(service.guest.get('/platforms'), site.platforms)
  })

  test('a discussion', async () => {
    const tab = await connect('/comments', bob)
    site.accepted.parse(await ask(tab, 'discussion:join', { gameId }))
    site.refusedAck.parse(await ask(tab, 'discussion:join', { gameId: 'x' }))
    const body = '<p>See <a href="https://x.example" target="_blank">this</a></p>'
    const first = await read(alice.post('/comments', { body: { gameId, body } }), site.comment, 201)
    expect(first.body).toContain('target="_blank"')
    const reply = { gameId, parentId: first._id, body: '<p>Yes</p>', isSpoiler: true }
    const { _id } = await read(bob.post('/comments', { body: reply }), site.comment, 201)
    await read(bob.patch(`/comments/${_id}`, { body: { body: '<p>No</p>' } }), site.comment)
    await read(bob.put(`/comments/${first._id}/like`), site.like)
    await read(bob.delete(`/comments/${first._id}/like`), site.like)
    await read(alice.post(`/comments/${_id}/report`), site.reported)
    await read(carol.get('/comments/reported'), site.comments)
    for (const status of ['hidden', 'visible']) {
      await read(carol.patch(`/comments/${_id}/status`, { body: { status } }), site.comment)
    }
    for (const reader of [service.guest, alice, carol]) {
      await read(reader.get(`/games/${gameId}/comments?sort=new`), site.comments)
      await read(reader.get(`/comments/${first._id}/replies`), site.comments)
    }
    await read(alice.delete(`/comments/${first._id}`), site.comment)
    const { results } = await read(service.guest.get(`/games/${gameId}/comments`), site.comments)
    expect(results).toMatchObject([{ _id: first._id, userId: '', body: '', author: null }])
    await read(alice.post('/comments', { body: { gameId, body: '' } }), site.failure, 400)
    for (const event of ['comment:created', 'comment:updated', 'comment:likes', 'comment:status']) {
      await expectEvents(event)
    }
    site.accepted.parse(await ask(tab, 'discussion:leave', { gameId }))
  })

  test('conflicts', async () => {
    await connect('/conflicts', carol)
    const candidates = [
      { gameId: new ObjectId(gameId), slug: 'old', name: 'Old', score: 93, breakdown: { title: 10.9, date: null } },
      { gameId: new ObjectId(), slug: 'gone', name: 'Gone', score: 41, breakdown: { title: 10.9, date: -4.2 } },
    ]
    const externalData = { name: 'Lantern Keep', originalName: null, released: '1995-03' }
    const failure = { message: 'The source did not answer in time', at: new Date() }
    await insertConflict(service.db, { source: 'ra', externalId: '7', candidates, externalData, failure })
    const entries = [{ id: '42', name: 'Lantern Keep', score: 90, details: ['Main story 12 h'] }]
    await insertConflict(service.db, { source: 'hltb', externalId: gameId, entries, externalData: null })

    await read(carol.get('/conflicts'), site.conflictSummary)
    await read(carol.get('/conflicts/list'), site.conflictList)
    await read(carol.get(`/conflicts/by-game/${gameId}`), site.conflictsByGame)
    const { item } = await read(carol.get('/conflicts/ra/7'), site.foundConflict)
    expect(item).toMatchObject({
      subject: { originalName: 'Lantern Keep' },
      candidates: [{ name: 'Lantern Keep', score: 93, breakdown: { date: 0 } }, { score: 41 }],
    })
    const held = await read(carol.get(`/conflicts/hltb/${gameId}`), site.foundConflict)
    expect(held.item?.entries).toMatchObject([{ score: 90, details: ['Main story 12 h'] }])
    await read(carol.get('/conflicts/ra/none'), site.foundConflict)
    await read(carol.post('/conflicts/ra/7/candidates', { body: { gameId: otherId } }), site.foundConflict)
    await read(carol.post('/conflicts/ra/7/decision', { body: { gameId: null } }), site.conflictSummary)
    await read(carol.post('/conflicts/ra/7/decision', { body: { gameId: null } }), site.failure, 409)
    await expectEvents('conflicts:applied')
    await read(carol.post('/conflicts/ra/7/reopen'), site.conflictSummary)
    const again = await read(carol.get('/conflicts/ra/7'), site.foundConflict)
    expect(again.item?.candidates[0]).toMatchObject({ gameId, isManual: false })
    await read(carol.post(`/conflicts/hltb/${gameId}/decision`, { body: { entryId: '42' } }), site.conflictSummary)
    await read(carol.get('/conflicts/list'), site.conflictList)
    await read(alice.get('/conflicts'), site.failure, 403)
    await expectEvents('conflict:decided')
  })

  test('requests', async () => {
    const ask = (body: object) => read(alice.post('/requests', { body }), site.request, 201)
    const twin = await ask({ kind: 'game', action: 'add', payload: { name: 'Lantern Keep' } })
    const payload = { summary: 'Keep the lanterns lit.', genres: ['Adventure'] }
    const change = await ask({ kind: 'game', action: 'update', targetId: otherId, payload, note: 'Lit' })
    const person = await ask({ kind: 'character', action: 'add', payload: { name: 'Ondine', gameIds: [gameId] } })
    await read(alice.get('/requests/mine'), site.requests)
    await read(carol.get('/requests?status=pending'), site.requestsForAdmin)
    await read(carol.get(`/requests/${change._id}`), site.requestWithCurrent)
    const decide = (id: string, body: object) => carol.post(`/requests/${id}/decision`, { body })
    await read(decide(twin._id, { decision: 'approve' }), site.duplicates, 409)
    await read(decide(twin._id, { decision: 'reject', reason: 'It is there' }), site.decidedRequest)
    await read(decide(change._id, { decision: 'approve' }), site.decidedRequest)
    await read(alice.delete(`/requests/${person._id}`), site.request)
    await read(alice.get('/requests/mine'), site.requests)
    await read(alice.post('/requests', { body: { kind: 'game' } }), site.failure, 400)
  })
})
