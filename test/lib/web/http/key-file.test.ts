import { expect, test } from 'vitest'
import { useService } from '../../../support/service/start-service.ts'

const KEY = '0f3c9a71b2d84e56'
const service = await useService({ env: { INDEXNOW_KEY: KEY } })

test('the IndexNow key is served as its own file, exactly', async () => {
  const { status, headers, body } = await service.guest.get(`/${KEY}.txt`)

  expect({ status, body }).toEqual({ status: 200, body: KEY })
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

test('405 on another method there, 404 for another key', async () => {
  expect((await service.guest.post(`/${KEY}.txt`)).status).toBe(405)
  expect((await service.guest.get('/0f3c9a71b2d84e57.txt')).status).toBe(404)
})
