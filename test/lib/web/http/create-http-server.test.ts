import { expect, it } from 'vitest'
import { sendRaw } from '../../../support/clients/send-raw.ts'
import { captureLog } from '../../../support/service/capture-log.ts'
import { useService } from '../../../support/service/start-service.ts'

const { log, lines } = captureLog()
const service = await useService({ log })

const request = (head: string, body = '') => `${head}\r\nHost: localhost\r\nConnection: close\r\n${body}`

function read(answer = '') {
  const [head = '', text = ''] = answer.split('\r\n\r\n')
  const id = head.match(/^x-request-id: (.+)$/im)?.[1]
  return { status: Number(head.split(' ')[1]), head, id, body: JSON.parse(text) }
}

it.each(['h2c', 'TLS/1.0', 'h2c, IRC/6.9'])(
  'the offer of an upgrade to %s is ignored, for each method',
  async (offer) => {
    const upgrade = `Upgrade: ${offer}\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n`
    const got = await sendRaw(service.port, request('GET /healthz HTTP/1.1', `${upgrade}\r\n`))
    const json = 'Content-Type: application/json\r\nContent-Length: 2\r\n'
    const posted = await sendRaw(service.port, request('POST /auth/login HTTP/1.1', `${upgrade}${json}\r\n{}`))

    expect(read(got)).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(read(posted)).toMatchObject({ status: 400, body: { error: 'Bad Request', issues: expect.any(Array) } })
  },
)

it.each(['websocket', 'h2c, WebSocket'])('an upgrade to %s is refused where there is no socket', async (upgrade) => {
  const head = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`

  expect(await sendRaw(service.port, head)).toMatch(/^HTTP\/1.1 404 Not Found\r\nConnection: close\r\n/)
})

it.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'Bad Request'],
  ['an unknown verb', request('BREW /pot HTTP/1.1', '\r\n'), 400, 'Bad Request'],
  ['two lengths', request('POST / HTTP/1.1', 'Content-Length: 1\r\nContent-Length: 2\r\n\r\n'), 400, 'Bad Request'],
  [
    'a header of 40 KB',
    request('GET / HTTP/1.1', `x: ${'a'.repeat(40_000)}\r\n\r\n`),
    431,
    'Request Header Fields Too Large',
  ],
  ['an unknown expectation', request('GET / HTTP/1.1', 'Expect: cake\r\n\r\n'), 417, 'Expectation Failed'],
])(
  'a malformed request, %s, is refused in the shape of all errors, and logged',
  async (_, bytes, statusCode, error) => {
    const { status, head, id, body } = read(await sendRaw(service.port, bytes))

    expect(status).toBe(statusCode)
    expect(body).toEqual({ statusCode, error, message: expect.stringMatching(/^[A-Z].*\w$/) })
    expect(head).toMatch(/^content-type: application\/json/im)
    expect(lines.find(({ requestId }) => requestId === id)).toMatchObject({ route: 'unreadable', status: statusCode })
  },
)
