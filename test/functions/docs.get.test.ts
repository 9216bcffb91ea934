import { expect, test } from 'vitest'
import { namespaces } from '../../realtime/namespaces.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()
const page = (await service.guest.get('/docs')).body

const referredTo = () => Array.from(page.matchAll(/(?:src|href)="([^"#]+)"/g), ([, address = '']) => address)

test('200 as HTML under a policy that allows no other origin and no inline script', async () => {
  const { status, headers } = await service.guest.get('/docs')
  const policy = headers.get('content-security-policy')?.split('; ')

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(page).not.toMatch(/<script(?![^>]* src=)/)
  expect(page).not.toMatch(/\son\w+=/)
  expect(page).not.toMatch(/<style|javascript:/)
})

test('200: the page refers to relative addresses of this service only', () => {
  expect(referredTo().filter((address) => /^(\w+:|\/)/.test(address))).toEqual(['data:,'])
  expect(referredTo()).toEqual(expect.arrayContaining(['openapi.json', 'asyncapi.json', 'console']))
})

test('200: every file of the page has its type, and those with a hash in their name are kept for good', async () => {
  const types: Record<string, RegExp> = {
    css: /^text\/css; charset=utf-8$/,
    js: /^text\/javascript; charset=utf-8$/,
    json: /^application\/json$/,
    console: /^text\/html; charset=utf-8$/,
  }
  const addresses = referredTo().filter((address) => !address.startsWith('data:'))
  expect(addresses.length).toBeGreaterThan(5)

  for (const address of addresses) {
    const { status, headers, body } = await service.guest.get(`/${address}`)
    expect(status, address).toBe(200)
    expect(headers.get('content-type'), address).toMatch(types[address.split('.').at(-1) ?? ''] ?? /^$/)
    expect(headers.get('x-content-type-options'), address).toBe('nosniff')
    expect(body, address).not.toBe('')
    if (!address.startsWith('docs/')) continue
    expect(headers.get('cache-control'), address).toBe('public, max-age=31536000, immutable')
    expect(address).toMatch(/\.[0-9A-Z]{8}\.(css|js)$/)
  }
})

test('200: the script requests the document of this service, and no validator', async () => {
  const script = referredTo().find((address) => /page\.\w+\.js$/.test(address))
  const { body } = await service.guest.get(`/${script}`)

  expect(body).toContain("url: 'openapi.json'")
  expect(body).toContain('validatorUrl: null')
  expect(body).not.toMatch(/https?:/)
})

test('200: the page shows every namespace with its requests, acks and events', () => {
  for (const { facts } of namespaces) {
    expect(page).toContain(`<h3><code>${facts.path}</code></h3>`)
    for (const event of [...Object.keys(facts.requests), ...Object.keys(facts.events)]) {
      expect(page).toContain(`<code>${event}</code>`)
    }
  }
  expect(page).toContain('<a href="#CommentLikes">')
  expect(page).toContain('id="CommentLikes"')
})
