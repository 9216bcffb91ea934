import { expect, test } from 'vitest'
import { useService } from '../support/service/start-service.ts'

test('200 while the database answers', async () => {
  const service = await useService()
  const { status, body } = await service.guest.get('/readyz')

  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok' })
})
