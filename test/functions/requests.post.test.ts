import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { CreateRequestBody } from '../../lib/contract/requests.ts'
import { submitRequest } from '../../lib/domain/requests/submit-request.ts'
import type { ContentRequestDocument } from '../../lib/infrastructure/db/collections/content-requests.ts'
import type { Caller } from '../support/clients/caller.ts'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertCharacter, insertGame, insertRequest } from '../support/rows/rows.ts'
import { BUSY_MACHINE_MS, useService } from '../support/service/start-service.ts'

const NAMED = { kind: 'game', action: 'add', payload: { name: 'Halcyon' } }
const FULL = { statusCode: 409, error: 'Conflict', message: 'You already have 20 pending requests' }

let user: Caller
const service = await useService()
const other = await useService({ mongodbUri: service.mongodbUri, timeoutMs: BUSY_MACHINE_MS })
beforeEach(async () => {
  user = await service.caller()
})

const userId = () => new ObjectId(user.id)
const stored = () => service.db.contentRequests.find({ userId: userId() }).sort({ createdAt: 1, _id: 1 }).toArray()
const pending = () => service.db.contentRequests.countDocuments({ userId: userId(), status: 'pending' })
/** Submits at both instances in turn, beside the limit on requests a minute. */
const submitMany = async (count: number) => {
  const body = CreateRequestBody.parse(NAMED)
  const author = { _id: userId(), userName: user.user?.userName ?? '', isAdmin: false }
  const submits = Array.from({ length: count }, (_, index) =>
    submitRequest((index % 2 === 0 ? service : other).deps, { user: author }, body),
  )
  const results = await Promise.allSettled(submits)
  const refused = results.flatMap((result) => (result.status === 'rejected' ? result.reason : []))
  for (const error of refused) expect(error).toMatchObject({ code: 'CONFLICT', message: FULL.message })
  return { created: count - refused.length, full: refused.length }
}
const withdrawMany = (requests: readonly ContentRequestDocument[]) =>
  Promise.all(requests.map(({ _id }) => user.delete(`/requests/${_id.toHexString()}`)))

it('201 with the whole request, and nothing else is written', async () => {
  const platformId = new ObjectId().toHexString()
  const payload = {
    name: 'Halcyon',
    first_release: 794_880_000,
    release_dates: [{ date: 794_880_000, platformId }],
    companies: [{ name: 'Lantern Works', developer: true }],
    multiplayer_modes: [{ lanCoop: true, offlineMax: 4, platformId }],
    cover: 'https://example.com/cover.png',
  }
  const before = await service.db.games.countDocuments()
  const { status, body } = await user.post('/requests', {
    body: { ...NAMED, payload, sources: ['https://example.com/wiki'], note: 'Seen on a fair', targetId: 'ignored' },
  })

  expect(status).toBe(201)
  expect(body).toMatchObject({
    action: 'add',
    status: 'pending',
    targetId: null,
    payload,
    sources: ['https://example.com/wiki'],
    note: 'Seen on a fair',
    userId: user.id,
    userName: user.user?.userName,
  })
  expect((await user.get('/requests/mine')).body).toEqual({ results: [body], total: 1 })
  expect(await service.db.games.countDocuments()).toBe(before)
  expect(await stored()).toMatchObject([{ slot: expect.any(Number), payload, status: 'pending' }])
})

it('201 for a correction, with the name and the slug of its target', async () => {
  const gameId = await insertGame(service.db, { name: 'Halcyon II', slug: 'halcyon-2' })
  const characterId = await insertCharacter(service.db, { name: 'Wick', slug: 'wick' })
  const game = await user.post('/requests', {
    body: {
      kind: 'game',
      action: 'update',
      targetId: gameId.toHexString().toUpperCase(),
      payload: { summary: 'Short.' },
    },
  })
  const character = await user.post('/requests', {
    body: {
      kind: 'character',
      action: 'update',
      targetId: characterId.toHexString(),
      payload: { gender: 'Unknown' },
    },
  })

  expect(game.body).toMatchObject({
    targetId: gameId.toHexString(),
    targetName: 'Halcyon II',
    targetSlug: 'halcyon-2',
  })
  expect(character.body).toMatchObject({
    kind: 'character',
    targetName: 'Wick',
    targetSlug: 'wick',
    sources: [],
    note: null,
  })
  expect((await stored()).map(({ targetId }) => targetId)).toEqual([gameId, characterId])
})

it('404 for an update of nothing, or of an entry of the other kind', async () => {
  const gameId = await insertGame(service.db)
  const refused = async (kind: string, targetId: string) =>
    (await user.post('/requests', { body: { kind, action: 'update', targetId, payload: { name: 'x' } } })).body
  const expected = { statusCode: 404, error: 'Not Found', message: 'Nothing to update found' }

  expect(await refused('game', new ObjectId().toHexString())).toEqual(expected)
  expect(await refused('character', gameId.toHexString())).toEqual(expected)
  expect(await stored()).toEqual([])
})

it('404 comes before the 409 of a user with 20 pending requests', async () => {
  for (let slot = 0; slot < 20; slot++) await insertRequest(service.db, { userId: userId(), slot })
  const body = { kind: 'game', action: 'update', targetId: new ObjectId().toHexString(), payload: { name: 'x' } }
  expect((await user.post('/requests', { body })).status).toBe(404)
  expect((await user.post('/requests', { body: NAMED })).body).toEqual(FULL)
})

it('201 for 20 of 25 requests at once at two instances, 409 for the others; decided ones and those of others do not count', async () => {
  const neighbour = await service.caller()
  for (let index = 0; index < 5; index++) await neighbour.post('/requests', { body: NAMED })
  for (const status of ['approved', 'rejected', 'withdrawn'] as const) {
    for (let slot = 0; slot < 10; slot++) await insertRequest(service.db, { userId: userId(), status, slot })
  }

  expect(await submitMany(25)).toEqual({ created: 20, full: 5 })
  expect(await pending()).toBe(20)
  const slots = await service.db.contentRequests.distinct('slot', { userId: userId(), status: 'pending' })
  expect(slots).toEqual(Array.from({ length: 20 }, (_, slot) => slot))
  expect((await user.post('/requests', { body: NAMED })).body).toEqual(FULL)
  expect((await neighbour.post('/requests', { body: NAMED })).status).toBe(201)
})

it('201 after each withdrawal for one more, also while others arrive', async () => {
  await submitMany(20)
  const requests = await stored()
  await withdrawMany(requests.slice(0, 2))
  expect(await submitMany(5)).toEqual({ created: 2, full: 3 })

  const [{ created }] = await Promise.all([submitMany(15), withdrawMany(requests.slice(2, 7))])
  expect(created).toBeLessThanOrEqual(5)
  expect(await pending()).toBe(15 + created)
  expect(await submitMany(6)).toEqual({ created: 5 - created, full: 1 + created })
})

it('201: pending requests are counted by an index, without reading one', async () => {
  for (let index = 0; index < 19; index++) await insertRequest(service.db, { userId: userId() })
  const commands = await profile(service.db, 'contentRequests', () => user.post('/requests', { body: NAMED }))

  expect(commands).toHaveLength(1)
  expectIndexed(commands, { keys: 20, docs: 0 })
})
