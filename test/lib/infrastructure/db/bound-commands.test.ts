import { expect, it } from 'vitest'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { patientTimeouts } from '../../../support/service/start-service.ts'

const MAX_TIME_EXPIRED = { code: 50 }

it('the database ends a command without a time limit of its own', async () => {
  const { uri } = await useBareDatabase()
  const db = openDatabase(uri, { timeouts: patientTimeouts(1_500) })
  await db.seeds.insertOne({ _id: 'a part', startedAt: new Date() })
  const slow = { $where: 'sleep(20000) || true' }

  const commands = [
    db.seeds.find(slow).toArray(),
    db.seeds.countDocuments({}, { hint: '_id_' }),
    db.seeds.findOne(slow),
    db.seeds.updateOne(slow, { $set: { startedAt: new Date() } }),
    db.seeds.deleteMany(slow),
  ].map((command: Promise<unknown>) => command.catch((error: unknown) => error))
  const [found, count, ...others] = await Promise.all(commands)
  expect(count).toBe(1)
  for (const error of [found, ...others]) expect(error).toMatchObject(MAX_TIME_EXPIRED)
  await db.close()
})
