import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../lib/db/connect.ts'
import { createLostAnswers } from '../../../lib/events/lost-answers.ts'
import { createLogger } from '../../../lib/observability/log.ts'

/** Nobody listens there: no command is ever sent. */
const NOWHERE = 'mongodb://127.0.0.1:1/away'

let db: Database
beforeAll(() => {
  db = openDatabase(NOWHERE)
})
afterAll(() => db.close())

async function fail(options: { isAfterWrite?: boolean }) {
  const lostAnswers = createLostAnswers({
    log: createLogger('silent'),
    onSettled: () => {},
    wasReachableSince: db.wasReachableSince,
  })
  await expect(lostAnswers.guard(db.ping, async () => {}, options)).rejects.toThrow()
  const isEmpty = lostAnswers.isEmpty()
  lostAnswers.close()
  return { isEmpty }
}

it('forgets a write that was never sent', async () => {
  expect(await fail({})).toEqual({ isEmpty: true })
})

it('reads again what was written before a command that was never sent', async () => {
  expect(await fail({ isAfterWrite: true })).toEqual({ isEmpty: false })
})
