import { expect, onTestFinished, test } from 'vitest'
import { createService } from '../../lib/app.ts'
import { readConfig } from '../../lib/base/config.ts'
import { createDeps } from '../../lib/create-deps.ts'
import { openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { createCaller } from '../support/clients/caller.ts'
import { captureLog } from '../support/service/capture-log.ts'

test('503 within 3 s while the database cannot be reached, without its password; the process still lives', async () => {
  const { log, text } = captureLog()
  const config = readConfig({ PORT: '0', JWT_SECRET: 'a secret of at least thirty-two characters' })
  const db = openDatabase('mongodb://gamehall:hunter2@127.0.0.1:1/none?replicaSet=rs0')
  const service = await createService(createDeps({ config, jwtSecret: config.jwtSecret ?? '', log, db }))
  onTestFinished(async () => {
    await service.close(1_000)
    await db.close()
  })
  const guest = createCaller({ baseUrl: `http://127.0.0.1:${await service.listen()}` })
  const startedAt = performance.now()
  const { status, body } = await guest.get('/readyz')

  expect(performance.now() - startedAt).toBeLessThan(3_000)
  expect(status).toBe(503)
  expect(body).toEqual({
    statusCode: 503,
    error: 'Service Unavailable',
    message: 'Service Unavailable',
    requestId: expect.any(String),
  })
  expect((await guest.get('/healthz')).status).toBe(200)
  expect(text()).toContain('database unreachable')
  expect(text()).not.toContain('hunter2')
})
