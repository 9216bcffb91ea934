import { type ClientSession, ObjectId } from 'mongodb'
import { afterAll, expect, test, vi } from 'vitest'
import { DomainError } from '#lib/base/errors'
import { DATABASE_TIMEOUTS } from '#lib/infrastructure/concurrency/timeouts'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { useDatabaseProxy } from '../../../support/processes/database-proxy.ts'
import { patientTimeouts } from '../../../support/service/start-service.ts'

const TIMEOUT_MS = 1_000
const timeouts = { ...DATABASE_TIMEOUTS, socketTimeoutMS: TIMEOUT_MS }
const refusal = new DomainError('CONFLICT', 'not this time')
const WAIT = { timeout: 30_000, interval: 20 }
const UNAVAILABLE = expect.objectContaining({ code: 'UNAVAILABLE' })

const proxy = await useDatabaseProxy()
/** Cut by the tests. */
const db = openDatabase(proxy.uri, { timeouts })
/** Never cut. */
const direct = openDatabase(proxy.target, { timeouts: patientTimeouts(WAIT.timeout) })
afterAll(() => Promise.all([db.close(), direct.close()]))

async function insertUser() {
  const _id = new ObjectId()
  const at = new Date()
  const userName = _id.toHexString()
  await direct.users.insertOne({
    _id,
    userName,
    email: userName,
    passwordHash: '',
    createdAt: at,
    updatedAt: at,
    rev: 0,
  })
  return _id
}
const revOf = async (_id: ObjectId) => (await direct.users.findOne({ _id }))?.rev
const increment = (_id: ObjectId, on = db) =>
  on.transaction((session) => on.users.updateOne({ _id }, { $inc: { rev: 1 } }, { session }))

test('a transaction ends after its time while another transaction holds the document', async () => {
  const _id = await insertUser()
  const hold = async (session: ClientSession) => {
    await direct.users.updateOne({ _id }, { $set: { rev: 100 } }, { session })
    await expect(increment(_id)).rejects.toEqual(UNAVAILABLE)
    throw refusal
  }
  await expect(direct.transaction(hold, { timeoutMs: WAIT.timeout })).rejects.toBe(refusal)
  expect(await revOf(_id)).toBe(0)
})

test('a transaction ends after its time while nothing answers, and changes nothing later', async () => {
  const _id = await insertUser()
  await db.ping()
  const release = proxy.holdCommands('$inc')
  await expect(increment(_id)).rejects.toEqual(UNAVAILABLE)
  release()
  await increment(_id, direct)
  expect(await revOf(_id)).toBe(1)
})

test('a commit whose answer was lost counts once when it is repeated', async () => {
  const _id = await insertUser()
  await db.ping()
  proxy.cutAfterCommand('commitTransaction')
  const committed = increment(_id)
  setTimeout(proxy.restore, 200)
  await committed.catch((error: unknown) => expect(error).toEqual(UNAVAILABLE))
  await vi.waitFor(async () => expect(await revOf(_id)).toBe(1), WAIT)
})
