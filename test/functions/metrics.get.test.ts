import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/start-service.ts'

describe('without METRICS_TOKEN', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  test('200 in the text format of Prometheus: requests by route pattern, sockets, events', async () => {
    await service.guest.get('/comments/abcdefabcdefabcdefabcdef/replies')
    const { status, headers, body } = await service.guest.get('/metrics')

    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(body).toContain(
      'gamehall_http_request_duration_seconds_count{method="GET",route="/comments/:id/replies",status="404"} 1',
    )
    for (const name of ['gamehall_sockets', 'gamehall_events_sent_total', 'nodejs_eventloop_lag_seconds']) {
      expect(body).toContain(`# TYPE ${name} `)
    }
  })

  test('every line is one that Prometheus reads', async () => {
    const { body } = await service.guest.get('/metrics')
    const line = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [-+.\dNInfae]+)$/

    expect(
      body
        .trimEnd()
        .split('\n')
        .filter((text: string) => text !== '' && !line.test(text)),
    ).toEqual([])
  })

  test('an address that nobody serves is one series, however it is spelled', async () => {
    await service.guest.get('/nothing/1')
    await service.guest.get('/nothing/2')
    const { body } = await service.guest.get('/metrics')

    expect(body).toContain('{method="GET",route="unmatched",status="404"} 2')
    expect(body).not.toContain('nothing')
  })
})

describe('with METRICS_TOKEN', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService({ env: { METRICS_TOKEN: 'scrape me' } })
  })
  afterAll(() => service.close())

  const ask = (authorization?: string) =>
    service.guest.get('/metrics', { headers: authorization === undefined ? {} : { authorization } })

  test.each([undefined, 'Bearer', 'Bearer ', 'Bearer wrong', 'Bearer scrape', 'Basic c2NyYXBlIG1l', 'scrape me'])(
    '401 with %s',
    async (authorization) => {
      const { status, headers, body } = await ask(authorization)

      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe('Bearer')
      expect(body).toEqual({ statusCode: 401, error: 'Unauthorized', message: 'Unauthorized' })
    },
  )

  test('401 for an admin: a session is no token', async () => {
    const admin = await service.caller({ isAdmin: true })

    expect((await admin.get('/metrics')).status).toBe(401)
  })

  test('200 with the token', async () => {
    const { status, body } = await ask('Bearer scrape me')

    expect(status).toBe(200)
    expect(body).toContain('gamehall_http_request_duration_seconds')
  })
})
