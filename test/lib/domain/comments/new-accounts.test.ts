import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { type Answer, type Caller, createCaller } from '../../../support/clients/caller.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import { useService } from '../../../support/service/start-service.ts'

const HOUR = 60 * 60 * 1_000
const MINUTE = 60_000
let ahead = 0
const clock = () => new Date(Date.now() + ahead)
const { service, atOther, gameId } = await useTwins({ clock }, { clock })
const { db } = service
// The tokens of the tests are valid for 15 minutes.
beforeEach(() => {
  ahead = 0
})

const newcomer = (age = HOUR) => service.caller({ createdAt: new Date(clock().getTime() - age) })
const post = (caller: Caller, body = 'Hello') => caller.post('/comments', { body: { gameId, body } })
const submit = (caller: Caller) =>
  caller.post('/requests', { body: { kind: 'game', action: 'add', payload: { name: 'Halcyon' } } })
const countStatuses = (answers: readonly Answer[]) => {
  const statuses = answers.map(({ status }) => status)
  return [201, 429].map((status) => statuses.filter((received) => received === status).length)
}

it.each([
  ['comments', 5, post, 'A new account posts at most 5 comments in 10 minutes'],
  ['contentRequests', 3, submit, 'A new account sends at most 3 requests in 10 minutes'],
] as const)(
  '429 for all %s but %i of a new account, sent at two instances at once',
  async (name, most, send, message) => {
    const caller = await newcomer()
    const callers = [caller, atOther(caller)]
    const wave = () => Promise.all(Array.from({ length: 12 }, (_, at) => send(callers[at % callers.length] ?? caller)))
    const answers = await wave()
    expect(countStatuses(answers)).toEqual([most, 12 - most])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body.message).toBe(message)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(570)
    expect(await db[name].countDocuments({ userId: new ObjectId(caller.id) })).toBe(most)

    // An instance that starts counts what was stored before.
    const later = await useService({ mongodbUri: service.mongodbUri, clock })
    callers.push(createCaller({ baseUrl: later.baseUrl, user: caller.user }))
    ahead += 9 * MINUTE
    expect(countStatuses(await wave())).toEqual([0, 12])
    ahead += MINUTE
    expect(countStatuses(await wave())).toEqual([most, 12 - most])
  },
)

it('429 counts any ten minutes, wherever they begin', async () => {
  const caller = await newcomer()
  await post(caller)
  ahead += 9 * MINUTE
  for (let sent = 0; sent < 4; sent++) expect((await post(caller)).status).toBe(201)
  ahead += 2 * MINUTE
  expect((await post(caller)).status).toBe(201)
  const refused = await post(caller)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(8 * 60)
})

it('400 takes none of the five', async () => {
  const caller = await newcomer()
  for (let sent = 0; sent < 6; sent++) {
    expect((await caller.post('/comments', { body: { gameId: new ObjectId(), body: 'Hello' } })).status).toBe(404)
    expect((await post(caller, '<img src="https://a.example/1.png">')).status).toBe(400)
  }
  expect((await post(caller)).status).toBe(201)
})

const LINKS = 'A comment of a new account has at most 2 links'
const IMAGES = 'A comment of a new account has no images'
const TWO = 'https://a.example <a href="https://b.example">b</a>'
const IMAGE = '<p>See <img src="https://a.example/1.png"></p>'

it.each([
  [`${TWO} www.c.example`, LINKS],
  [IMAGE, IMAGES],
])('400 for %j of a new account, posted and edited, and 201 for two links', async (body, message) => {
  const caller = await newcomer()
  expect(await post(caller, body)).toMatchObject({ status: 400, body: { message } })
  const { body: comment, status } = await post(caller, TWO)
  expect(status).toBe(201)
  const edited = await caller.patch(`/comments/${comment._id}`, { body: { body } })
  expect(edited).toMatchObject({ status: 400, body: { message } })
  expect(await db.comments.findOne({ _id: new ObjectId(comment._id) })).not.toHaveProperty('rev')
})

it('200: an edit of a new account keeps the links and images that are stored, and adds none', async () => {
  const caller = await newcomer()
  const stored = `${TWO} www.c.example ${IMAGE}`
  const { body: comment } = await post(await service.caller(), stored)
  await db.comments.updateOne({ _id: new ObjectId(comment._id) }, { $set: { userId: new ObjectId(caller.id) } })
  const edit = async (body: object) => (await caller.patch(`/comments/${comment._id}`, { body })).status

  expect(await edit({ isSpoiler: true })).toBe(200)
  expect(await edit({ body: `Better: ${stored}` })).toBe(200)
  expect(await edit({ body: stored.replace('www.c', 'www.d') })).toBe(400)
  expect(await edit({ body: `${stored} www.c.example` })).toBe(400)
  expect(await edit({ body: stored.replace('1.png', '2.png') })).toBe(400)
  expect(await edit({ body: TWO })).toBe(200)
  expect(await edit({ body: 'https://d.example' })).toBe(200)
})

it('201 without these limits for an older account, for an admin, and with NEW_ACCOUNT_HOURS=0', async () => {
  const off = await useService({ mongodbUri: service.mongodbUri, env: { NEW_ACCOUNT_HOURS: '0' }, clock })
  const youngAdmin = await service.caller({ isAdmin: true, createdAt: clock() })
  for (const caller of [await newcomer(24 * HOUR), youngAdmin, await off.caller({ createdAt: clock() })]) {
    for (let sent = 0; sent < 6; sent++) expect((await post(caller, `${TWO} www.c.example ${IMAGE}`)).status).toBe(201)
    for (let sent = 0; sent < 4; sent++) expect((await submit(caller)).status).toBe(201)
  }
})

it('an account becomes old while it is signed in', async () => {
  const caller = await newcomer(24 * HOUR - 5 * MINUTE)
  expect((await post(caller, IMAGE)).status).toBe(400)
  ahead += 5 * MINUTE
  expect((await post(caller, IMAGE)).status).toBe(201)
})

it('an account whose creation another program has stored as a text is an old one', async () => {
  const caller = await newcomer()
  await db.users.updateOne({ _id: new ObjectId(caller.id) }, [{ $set: { createdAt: 'yesterday' } }])
  expect((await post(atOther(caller), IMAGE)).status).toBe(201)
})
