import { randomUUID } from 'node:crypto'
import { type Collection, MongoClient, ObjectId } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import { findLiveFamily, insertFamily, rotateToken } from '#lib/domain/auth/token-family'
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

const rotate = (familyId: string, from: number, to: number) =>
  rotateToken(db.refreshTokens, {
    familyId,
    sentHash: `${familyId} ${from}`,
    acceptedHashes: [`${familyId} ${from}`],
    nextHash: `${familyId} ${to}`,
    lifetimeSeconds: WEEK,
  })

const findUse = async (familyId: string, token: number) => {
  const sentHash = `${familyId} ${token}`
  return (await findLiveFamily(db.refreshTokens, familyId, [{ familyId, sentHash, acceptedHashes: [sentHash] }]))?.uses
}

it('bounds a family that is rotated without pause', async () => {
  const familyId = await insert()
  for (let token = 1; token <= 110; token++) expect(await rotate(familyId, token, token + 1)).toBe(true)

  expect((await db.refreshTokens.findOne({ familyId }))?.rotated).toHaveLength(100)
  expect(await findUse(familyId, 20)).toEqual(['repeated'])
})

it('rotates a current token alone, and once', async () => {
  const familyId = await insert()
  const rotations = [2, 3, 4].map((next) => rotate(familyId, 1, next))

  expect((await Promise.all(rotations)).filter(Boolean)).toHaveLength(1)
  expect(await findUse(familyId, 1)).toEqual(['repeated'])
  expect(await rotate(familyId, 1, 5)).toBe(false)
})

it('does not bring back a family that ended while the rotation waited', async () => {
  const familyId = await insert()
  const families: Collection<RefreshTokenDocument> = client.db().collection(refreshTokens.name)
  const session = client.startSession()
  session.startTransaction()
  await families.deleteOne({ familyId }, { session })
  const waiting = rotate(familyId, 1, 2)
  await vi.waitFor(async () => {
    const own = { $match: { ns: families.namespace, 'command.q.familyId': familyId } }
    const running = await client
      .db('admin')
      .aggregate([{ $currentOp: {} }, own])
      .toArray()
    expect(running).toHaveLength(1)
  })
  await session.commitTransaction()
  await session.endSession()

  expect(await waiting).toBe(false)
  expect(await findUse(familyId, 2)).toBeUndefined()
})
