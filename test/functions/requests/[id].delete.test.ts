import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { Caller } from '../../support/clients/caller.ts'
import { insertGame, insertRequest } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const MINUTE = 60_000
const DECIDED = {
  statusCode: 409,
  error: 'Conflict',
  message: 'This request has already been decided, or another moderator is deciding it',
}

let user: Caller
let neighbour: ContentRequestDocument
const service = await useService()
beforeEach(async () => {
  user = await service.caller()
  neighbour = await insertRequest(service.db, { slot: 0 })
})

const insert = (facts: Partial<ContentRequestDocument> = {}) =>
  insertRequest(service.db, { userId: new ObjectId(user.id), slot: 0, ...facts })
const withdraw = ({ _id }: ContentRequestDocument) => user.delete(`/requests/${_id.toHexString()}`)
const stored = ({ _id }: ContentRequestDocument) => service.db.contentRequests.findOne({ _id })
const past = () => ({
  claimedAt: new Date(Date.now() - 15 * MINUTE - 1_000),
  claimedBy: new ObjectId(),
  claimId: new ObjectId(),
})

it("200 with the withdrawn request, its slot free and nobody else's touched", async () => {
  const targetId = await insertGame(service.db, { name: 'Halcyon', slug: 'halcyon' })
  const request = await insert({ action: 'update', targetId, note: 'Mine' })
  const { status, body } = await withdraw(request)

  expect(status).toBe(200)
  expect(body).toMatchObject({
    _id: request._id.toHexString(),
    status: 'withdrawn',
    note: 'Mine',
    targetName: 'Halcyon',
  })
  expect(body).toEqual((await user.get('/requests/mine')).body.results[0])
  expect(await stored(request)).toMatchObject({
    status: 'withdrawn',
    payload: request.payload,
    updatedAt: expect.any(Date),
  })
  expect(await stored(request)).not.toHaveProperty('slot')
  expect(await stored(neighbour)).toEqual(neighbour)
})

it('200 once of two at the same time', async () => {
  const request = await insert()
  const answers = await Promise.all([withdraw(request), withdraw(request), withdraw(request)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toEqual(DECIDED)
})

it.each(['approved', 'rejected', 'withdrawn'] as const)('409 for a request that is %s', async (status) => {
  const request = await insert({ status })
  expect((await withdraw(request)).body).toEqual(DECIDED)
  expect(await stored(request)).toEqual(request)
})

it.each([0, 14 * MINUTE])('409 while another moderator is deciding it, claimed %i ms ago', async (age) => {
  const request = await insert({ claimedAt: new Date(Date.now() - age), claimedBy: new ObjectId() })
  expect((await withdraw(request)).body).toEqual(DECIDED)
  expect(await stored(request)).toEqual(request)
})

it('200 when the claim has expired; the claim is removed', async () => {
  const request = await insert(past())
  expect((await withdraw(request)).status).toBe(200)
  expect(Object.keys((await stored(request)) ?? {}).filter((key) => key.startsWith('claim'))).toEqual([])
})

it('403 for a request of somebody else, also as an admin, whatever its state', async () => {
  const admin = await service.caller({ isAdmin: true })
  const decided = await insertRequest(service.db, { status: 'approved' })
  for (const caller of [user, admin]) {
    for (const { _id } of [neighbour, decided]) {
      expect((await caller.delete(`/requests/${_id.toHexString()}`)).body).toEqual({
        statusCode: 403,
        error: 'Forbidden',
        message: 'This request belongs to someone else',
      })
    }
  }
  expect(await stored(neighbour)).toEqual(neighbour)
})

const DAY = 24 * 60 * MINUTE
const withdrawn = () =>
  service.db.contentRequests
    .find({ userId: new ObjectId(user.id), status: 'withdrawn' })
    .sort({ createdAt: 1 })
    .toArray()
const insertWithdrawn = async (count: number, facts: Partial<ContentRequestDocument> = {}) => {
  for (let index = 0; index < count; index++) {
    const createdAt = new Date(Date.now() - DAY + index)
    await insertRequest(service.db, { userId: new ObjectId(user.id), status: 'withdrawn', createdAt, ...facts })
  }
}

it('200: withdrawn requests beyond 50 are removed, and nothing else', async () => {
  await insertWithdrawn(70)
  const others = [await insert({ status: 'approved' }), await insert({ status: 'rejected' }), await insert({ slot: 1 })]
  await withdraw(await insert())
  expect(await withdrawn()).toHaveLength(50)
  for (const other of others) expect(await stored(other)).toEqual(other)
})

it('200: a withdrawn request whose uploads remain is kept', async () => {
  const id = new ObjectId().toHexString()
  await insertWithdrawn(1, { createdAt: new Date(0), pendingUploads: [`covers/${id}/${id}`] })
  await insertWithdrawn(50)
  await withdraw(await insert())
  expect(await withdrawn()).toHaveLength(51)

  const [oldest] = await withdrawn()
  await service.db.contentRequests.updateOne({ _id: oldest?._id ?? new ObjectId() }, { $set: { pendingUploads: [] } })
  await withdraw(await insert())
  expect(await withdrawn()).toHaveLength(50)
})

it('200 for many withdrawals at once, which leave exactly 50', async () => {
  await insertWithdrawn(45)
  const requests = await Promise.all(Array.from({ length: 15 }, (_, slot) => insert({ slot })))
  const answers = await Promise.all(requests.map(withdraw))
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200))
  expect(await withdrawn()).toHaveLength(50)
  for (const request of requests) expect(await stored(request)).toMatchObject({ status: 'withdrawn' })
})
