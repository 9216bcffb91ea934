import { expect, test } from 'vitest'
import { sendRaw } from '../support/clients/send-raw.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()

test('200 without a session', async () => {
  const { status, body } = await service.guest.get('/healthz')

  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok' })
})

test('200 for a HEAD request, and for one of HTTP/1.0 that names no host', async () => {
  expect((await fetch(`${service.baseUrl}/healthz`, { method: 'HEAD' })).status).toBe(200)
  expect(await sendRaw(service.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})
