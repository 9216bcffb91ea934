import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { insertRows, newRequest } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const ROWS = 100
const PARALLEL = 5
const KILOBYTE = 1_024
/** Each letter has three bytes, and the payload is as large as a request may be. */
const payload = {
  name: 'Halcyon',
  videos: Array.from({ length: 10 }, (_, index) => `https://example.com/${index}${'書'.repeat(2_019)}`),
}

const service = await useService()
const author = await service.caller()
const admin = await service.caller({ isAdmin: true })
await insertRows(
  service.db.contentRequests,
  Array.from({ length: ROWS }, () => newRequest({ payload, userId: new ObjectId(author.id) })),
)

it.each([
  ['/requests/mine', () => author],
  ['/requests', () => admin],
])(
  `requests of 60 KB: ${PARALLEL} at once of ${ROWS} rows of %s are answered whole or refused, none is cut off`,
  async (path, caller) => {
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => caller().get(`${path}?take=${ROWS}`)))
    const whole = answers.filter(({ status }) => status === 200)
    expect(whole.length).toBeGreaterThan(0)
    for (const { body } of whole) {
      expect(body.results).toHaveLength(ROWS)
      expect(body.results[ROWS - 1].payload).toEqual(payload)
    }
    for (const { status } of answers) expect([200, 503]).toContain(status)
  },
)

it('200 for another user while answers are not read', async () => {
  const silent = await fetch(`${service.baseUrl}/requests?take=${ROWS}`, { headers: { cookie: admin.cookie } })
  expect((await author.get('/requests/mine?take=1')).body.total).toBe(ROWS)
  await silent.body?.cancel()
})

it('400 for a request of more than 64 KB, and nothing is stored', async () => {
  const user = await service.caller()
  const note = 'x'.repeat(2_000)
  const submit = (videos: string[]) =>
    user.post('/requests', { body: { kind: 'game', action: 'add', payload: { name: 'Halcyon', videos }, note } })
  const longLink = (letter: string) => `https://example.com/${letter.repeat(2_020)}`
  const videos = [...payload.videos, longLink('x')]

  expect((await submit(videos)).status).toBe(201)
  expect((await submit([...videos, longLink('y')])).body).toEqual({
    statusCode: 400,
    error: 'Bad Request',
    message: 'A request holds at most 64 KB',
    issues: [{ path: '', message: 'A request holds at most 64 KB' }],
  })
  const [stored, ...rest] = await service.db.contentRequests.find({ userId: new ObjectId(user.id) }).toArray()
  expect(rest).toEqual([])
  expect(Buffer.byteLength(JSON.stringify(stored?.payload))).toBeLessThan(64 * KILOBYTE)
})
