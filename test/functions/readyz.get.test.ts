import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createService, type Service } from '../../lib/app.ts'
import { readConfig } from '../../lib/base/config.ts'
import { createDeps } from '../../lib/create-deps.ts'
import { openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { createCaller } from '../support/clients/caller.ts'
import { captureLog } from '../support/service/capture-log.ts'
import { useService } from '../support/service/start-service.ts'

test('200 while the database answers', async () => {
  const service = await useService()
  const { status, body } = await service.guest.get('/readyz')

  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok' })
})

describe('while the database cannot be reached', () => {
  const { log, text } = captureLog()
  const config = readConfig({ PORT: '0', JWT_SECRET: 'a secret of at least thirty-two characters' })
  const db = openDatabase('mongodb://gamehall:hunter2@127.0.0.1:1/none?replicaSet=rs0')
  const deps = createDeps({ config, jwtSecret: config.jwtSecret ?? '', log, db })
  let service: Service
  let baseUrl: string

  beforeAll(async () => {
    service = await createService(deps)
    baseUrl = `http://127.0.0.1:${await service.listen()}`
  })
  afterAll(async () => {
    await service.close(1_000)
    await db.close()
  })

  const OUTAGE = { statusCode: 503, error: 'Service Unavailable', message: 'Service Unavailable' }

  async function ask(path: string, cookie?: string) {
    const startedAt = performance.now()
    const headers = cookie === undefined ? {} : { cookie }
    const { status, body } = await createCaller({ baseUrl }).get(path, { headers })
    return { status, body, ms: performance.now() - startedAt }
  }

  test('503 within 3 s while the database cannot be reached, and the process still lives', async () => {
    const { status, body, ms } = await ask('/readyz')

    expect(status).toBe(503)
    expect(body).toEqual({ ...OUTAGE, requestId: expect.any(String) })
    expect(ms).toBeLessThan(3_000)
    expect((await ask('/healthz')).status).toBe(200)
  })

  test('503 without the password of the database, which the log does not have either', async () => {
    const { body } = await ask('/readyz')

    expect(JSON.stringify(body)).not.toMatch(/hunter2|127\.0\.0\.1|ECONNREFUSED/)
    expect(text()).toContain('database unreachable')
    expect(text()).not.toContain('hunter2')
  })
})
