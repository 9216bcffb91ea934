import { randomUUID } from 'node:crypto'
import { type Collection, MongoClient, ObjectId } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import { insertFamily, rotateToken } from '#lib/domain/auth/token-family'
import { type RefreshTokenDocument, refreshTokens } from '#lib/infrastructure/db/collections/refresh-tokens'
import { useDatabase } from '../../../support/service/use-database.ts'

const { uri, db } = await useDatabase()
const client = new MongoClient(uri)
afterAll(() => client.close())

const WEEK = 7 * 24 * 60 * 60

async function insert() {
  const familyId = randomUUID()
  const facts = { familyId, tokenHash: `${familyId} 1`, userId: new ObjectId(), passwordStamp: null }
  await insertFamily(db.refreshTokens, { ...facts, lifetimeSeconds: WEEK })
  return familyId
}

const rotate = (familyId: string, from: number, to: number, families = db.refreshTokens) =>
  rotateToken(families, {
    familyId,
    sentHash: `${familyId} ${from}`,
    acceptedHashes: [`${familyId} ${from}`],
    nextHash: `${familyId} ${to}`,
    lifetimeSeconds: WEEK,
  })

const stored = (familyId: string) => db.refreshTokens.findOne({ familyId })

const age = (familyId: string) =>
  db.refreshTokens.updateOne({ familyId }, { $set: { 'rotated.$[].at': new Date(Date.now() - 11_000) } })

it('bounds a family that is rotated without pause', async () => {
  const familyId = await insert()
  for (let token = 1; token <= 110; token++) expect(await rotate(familyId, token, token + 1)).toBe('rotated')

  expect((await stored(familyId))?.rotated).toHaveLength(100)
  expect(await rotate(familyId, 20, 999)).toBe('repeated')
})

it('does not bring back a family that a reuse ended while the rotation waited', async () => {
  const familyId = await insert()
  await rotate(familyId, 1, 2)
  await age(familyId)

  const families: Collection<RefreshTokenDocument> = client.db().collection(refreshTokens.name)
  const session = client.startSession()
  session.startTransaction()
  await families.updateOne({ familyId }, { $set: { updatedAt: new Date() } }, { session })
  const waiting = rotate(familyId, 2, 3)
  await vi.waitFor(async () => {
    const own = { $match: { 'command.findAndModify': refreshTokens.name, 'command.query.familyId': familyId } }
    const running = await client
      .db('admin')
      .aggregate([{ $currentOp: {} }, own])
      .toArray()
    expect(running).toHaveLength(1)
  })
  const inTransaction = new Proxy(families, {
    get: (target, name) =>
      name === 'findOneAndUpdate'
        ? (filter: object, update: object[], options: object) =>
            target.findOneAndUpdate(filter, update, { ...options, session })
        : Reflect.get(target, name),
  })
  expect(await rotate(familyId, 1, 4, inTransaction)).toBe('reused')
  await session.commitTransaction()
  await session.endSession()

  expect(await waiting).toBeNull()
  expect(await rotate(familyId, 3, 5)).toBeNull()
})
