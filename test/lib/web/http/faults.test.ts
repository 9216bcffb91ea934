import { beforeEach, expect, test } from 'vitest'
import { captureLog } from '../../../support/service/capture-log.ts'
import { HTTP_FIXTURES, useService } from '../../../support/service/start-service.ts'

const { log, lines, text } = captureLog()

const service = await useService({ log, functionsFolder: HTTP_FIXTURES })
beforeEach(() => {
  lines.length = 0
})

const ask = (fault: string) => service.guest.post('/faults', { body: { fault }, headers: { 'x-request-id': 'mine' } })

const FAULT = { statusCode: 500, error: 'Internal Server Error', message: 'Internal Server Error', requestId: 'mine' }

test('500 has the request id and no part of the fault, which the log has in full', async () => {
  const { status, body } = await ask('fault')

  expect(status).toBe(500)
  expect(body).toEqual(FAULT)
  expect(lines[0]).toMatchObject({
    level: 'error',
    requestId: 'mine',
    err: {
      type: 'TypeError',
      message: 'cannot read the secret of undefined',
      stack: expect.stringContaining('faults.post'),
    },
  })
  expect(lines[1]).toMatchObject({ requestId: 'mine', status: 500, route: '/faults' })
})

test('500 for a thrown value that is no error', async () => {
  const { status, headers, body } = await ask('not an error')

  expect(status).toBe(500)
  expect(body).toEqual({ ...FAULT, requestId: headers.get('x-request-id') })
  expect(lines[0]).toMatchObject({ level: 'error', err: 'a bare secret', requestId: body.requestId })
})

test('500 under test for an answer that does not match its schema', async () => {
  expect(await ask('unfit')).toMatchObject({ status: 500, body: FAULT })
})

test('500 under test for an undeclared refusal', async () => {
  expect(await ask('undeclared')).toMatchObject({ status: 500, body: FAULT })
  expect(text()).toContain('faults.post.js refuses with CONFLICT, which it does not declare')
})

const OUTAGE = {
  statusCode: 503,
  error: 'Service Unavailable',
  message: 'Service Unavailable',
  requestId: 'mine',
}

test.each(['driver', 'socket'])('503 for an error of the %s, because the database cannot be reached', async (fault) => {
  const { status, body } = await ask(fault)

  expect(status).toBe(503)
  expect(body).toEqual(OUTAGE)
  expect(lines[0]).toMatchObject({ level: 'warn', requestId: 'mine', reason: expect.any(String) })
})

test('429 has the time of the next attempt', async () => {
  const { status, body, headers } = await ask('limited')

  expect(status).toBe(429)
  expect(headers.get('retry-after')).toBe('7')
  expect(body).toEqual({
    statusCode: 429,
    error: 'Too Many Requests',
    message: 'Too many requests, try again later',
  })
})
