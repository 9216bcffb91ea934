import { randomUUID } from 'node:crypto'
import { type Collection, ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { insertFamily, rotateToken } from '#lib/domain/auth/sessions/token-family'
import { type RefreshTokenDocument, refreshTokens } from '#lib/infrastructure/db/collections/refresh-tokens'
import { useClient } from '../../../../support/service/use-client.ts'
import { useDatabase } from '../../../../support/service/use-database.ts'

const { uri, db } = await useDatabase()
const driver = await useClient(uri)

const client = { device: null, address: '192.0.2.1' }

async function insert() {
  const familyId = randomUUID()
  const facts = { familyId, tokenHash: `${familyId} 1`, userId: new ObjectId(), passwordStamp: null }
  await insertFamily(db.refreshTokens, { ...facts, client })
  return familyId
}

const rotate = (familyId: string, from: number, to: number) =>
  rotateToken(db.refreshTokens, {
    familyId,
    sentHash: `${familyId} ${from}`,
    acceptedHashes: [`${familyId} ${from}`],
    nextHash: `${familyId} ${to}`,
    client,
  })

it('a rotation that waited does not bring back a family that has ended', async () => {
  const familyId = await insert()
  const families: Collection<RefreshTokenDocument> = driver.db().collection(refreshTokens.name)
  const session = driver.startSession()
  session.startTransaction()
  await families.deleteOne({ familyId }, { session })
  const waiting = rotate(familyId, 1, 2)
  await vi.waitFor(async () => {
    const ofFamily = { $match: { ns: families.namespace, 'command.q.familyId': familyId } }
    const running = await driver
      .db('admin')
      .aggregate([{ $currentOp: {} }, ofFamily])
      .toArray()
    expect(running).toHaveLength(1)
  })
  await session.commitTransaction()
  await session.endSession()

  expect(await waiting).toBe(false)
  expect(await db.refreshTokens.countDocuments({ familyId })).toBe(0)
})
