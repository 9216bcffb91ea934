import { expect, test } from 'vitest'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()
const { body } = await service.guest.get('/docs')
const addresses: string[] = Array.from(String(body).matchAll(/"(docs\/[^"]+)"/g), ([, address]) => `/${address}`)

test('200, kept by the browser for good: the name changes with the content', async () => {
  expect(addresses).toHaveLength(4)
  for (const address of addresses) {
    const answer = await fetch(service.baseUrl + address)
    expect(answer.status, address).toBe(200)
    expect(answer.headers.get('cache-control'), address).toBe('public, max-age=31536000, immutable')
    expect(address).toMatch(/\.[0-9A-Z]{8}\.(css|js)$/)
  }
})

test.each(['swagger-ui.css', 'package.json', '..%2F..%2Fpackage.json', 'swagger-ui.css%00', '%zz'])(
  '404 for %s: nothing is looked up in a folder',
  async (name) => {
    expect((await service.guest.get(`/docs/${name}`)).status).toBe(404)
  },
)
