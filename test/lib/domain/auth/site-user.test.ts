import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { hashedId } from '#lib/base/system/hashed-id'
import { findSessionUser } from '#lib/domain/auth/session-user'
import { createKey } from '#lib/domain/service-keys/create-key'
import { openClient, untilConnected } from '../../../support/clients/clients.ts'
import { signToken } from '../../../support/clients/sign-token.ts'
import { insertUser } from '../../../support/rows/rows.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import { nowSeconds, SITE_SECRET } from '../../../support/stand-ins/site.ts'

const env = {
  ACCOUNTS: 'site',
  JWT_SECRET: SITE_SECRET,
  SESSION_COOKIE: 'site.session',
  SESSION_CLAIMS: 'id:sub,userName:name,email:email,avatar:picture,createdAt:since,admin:roles=admin',
}
let ahead = 0
const clock = () => new Date(Date.now() + ahead)
const { service, other, caughtUp } = await useTwins({ env, clock, cacheLagMs: 50 }, { env, clock })
const { db } = service
const now = () => Math.floor(clock().getTime() / 1000)

const cookieOf = (claims: object) =>
  `site.session=${signToken({ iat: now(), exp: now() + 7_200, name: 'Ann', ...claims }, SITE_SECRET)}`
const find = (claims: object, { deps } = service) => findSessionUser(deps, cookieOf(claims))
const findTwice = async (claims: object) => {
  const found = await find(claims)
  await caughtUp()
  expect(await find(claims, other)).toEqual(found)
  return found
}
const storedOf = (externalId: string) => db.users.findOne({ externalId })
const key = await createKey(service.deps, { name: 'site', scopes: ['users'] })
const program = { headers: { authorization: `Bearer ${key}` } }
const remove = (id: string, at = service) => at.guest.delete(`/users/${encodeURIComponent(id)}`, program)

it.each(['first|sight', new ObjectId().toHexString()])(
  'twenty requests and four sockets of %s at once, at two instances, make one user',
  async (sub) => {
    const instances = [service, other]
    const cookie = cookieOf({ sub, name: 'Crowd' })
    const requests = Array.from({ length: 20 }, (_, at) =>
      instances[at % 2]?.guest.get('/auth/session', { headers: { cookie } }),
    )
    const sockets = Array.from({ length: 4 }, (_, at) =>
      untilConnected(openClient(instances[at % 2]?.baseUrl ?? '', '/royal', { cookie })),
    )

    const answers = await Promise.all(requests)
    await Promise.all(sockets)
    expect(answers.map((answer) => answer?.status)).toEqual(Array(20).fill(200))
    const ids = new Set(answers.map((answer) => answer?.body.userId))
    const users = await db.users.find({ $or: [{ externalId: sub }, { _id: new ObjectId([...ids][0]) }] }).toArray()
    expect([ids.size, users.length]).toEqual([1, 1])
    if (sub.length === 24) expect([...ids]).toEqual([sub])
    await db.users.deleteMany({})
  },
)

it('one of two users who bring a name at once gets it, the other a name made of the id', async () => {
  const found = await Promise.all(['one', 'two'].map((sub, at) => find({ sub, name: 'Twin' }, at ? other : service)))
  const names = found.map((user) => user?.userName).toSorted()
  expect(names).toEqual(['Twin', expect.stringMatching(/^user-[0-9a-f]{8}$/)])
  const second = found.find((user) => user?.userName !== 'Twin')
  expect(names[1]).toBe(`user-${second?._id.toHexString().slice(-8)}`)
})

it.each(['', 'x', 'a\u200bb', '<b>', 'user-12345678', 'x'.repeat(300), 5, null])(
  'a name that sign-up would refuse is replaced by one made of the id: %j',
  async (name) => {
    const sub = `odd ${JSON.stringify(name)}`.slice(0, 100)
    const found = await find({ sub, name })
    expect(found?.userName).toBe(`user-${found?._id.toHexString().slice(-8)}`)
  },
)

it('an address is stored beside the account, may occur twice, and is shown to nobody', async () => {
  const email = 'ann@example.com'
  const found = await find({ sub: 'mail 1', name: 'Mail 1', email })
  await find({ sub: 'mail 2', name: 'Mail 2', email })
  expect(await storedOf('mail 1')).toMatchObject({ siteEmail: email })
  expect(await db.users.countDocuments({ siteEmail: email, email: { $exists: false } })).toBe(2)
  const { body } = await service.guest.get(`/user/${found?._id}`)
  expect(JSON.stringify(body)).not.toContain(email)
})

it.each([
  ['Unix seconds', 1_600_000_000, '2020-09-13T12:26:40.000Z'],
  ['a date', '2020-09-13T14:26:40+02:00', '2020-09-13T12:26:40.000Z'],
])('an account counts from the claim of its creation in %s, at first sight and later', async (_, since, createdAt) => {
  const sub = `since ${since}`
  const first = clock()
  expect(await find({ sub })).toMatchObject({ isNew: true })
  expect((await storedOf(sub))?.createdAt.getTime()).toBeGreaterThanOrEqual(first.getTime())
  ahead += 61_000
  expect(await findTwice({ sub, since })).toMatchObject({ isNew: false })
  expect((await storedOf(sub))?.createdAt.toISOString()).toBe(createdAt)
  expect(await find({ sub: `${sub} at first`, since })).toMatchObject({ isNew: false })
})

it.each([4e9, 1_600_000_000_000, 'soon', null, true, {}, Number.MAX_VALUE])(
  'a claim of creation counts from the first sight: %j',
  async (since) => {
    const sub = `odd since ${JSON.stringify(since)}`
    const first = clock()
    expect(await find({ sub, since })).toMatchObject({ isNew: true })
    expect((await storedOf(sub))?.createdAt.getTime()).toBeGreaterThanOrEqual(first.getTime())
  },
)

it('an id that another user has by chance opens nobody’s account', async () => {
  const victim = await find({ sub: 'victim', name: 'Victim' })
  expect(await find({ sub: victim?._id.toHexString(), name: 'Intruder' })).toBeNull()
  const earlier = await insertUser(service.deps, { userName: 'earlier' })
  expect(await find({ sub: earlier._id.toHexString(), name: 'earlier' })).toMatchObject({ userName: 'earlier' })
  expect(hashedId('user of the site x')).not.toBe(hashedId('user of the site X'))
})

it('a newer token changes name and avatar, at most once a minute; an older one changes nothing', async () => {
  const sub = 'changing'
  const iat = now()
  await findTwice({ sub, name: 'Before', picture: 'https://img.example.com/1.png', iat })
  expect(await find({ sub, name: 'Hasty', iat: iat + 1 })).toMatchObject({ userName: 'Before' })
  ahead += 61_000
  expect(await find({ sub, name: 'Older', iat: iat - 1 })).toMatchObject({ userName: 'Before' })
  expect(await find({ sub, name: 'Undated', iat: undefined })).toMatchObject({ userName: 'Before' })
  expect(await findTwice({ sub, name: 'After', picture: 'javascript:alert(1)', iat: iat + 30 })).toMatchObject({
    userName: 'After',
  })
  expect((await storedOf(sub))?.avatar).toBeUndefined()
  expect(await find({ sub, name: 'Before', iat })).toMatchObject({ userName: 'After' })
  ahead += 61_000
  await find({ sub: 'holder', name: 'Held' })
  expect((await findTwice({ sub, name: 'Held', iat: iat + 60 }))?.userName).toMatch(/^user-/)
})

it('the newest token alone gives and takes a role at once; an older valid token does not bring it back', async () => {
  const sub = 'admin'
  const iat = now() - 100
  const claims = (at: number, roles?: unknown) => ({ sub, name: 'Boss', iat: iat + at, roles })
  const isAdmin = async (at: number, roles?: unknown) => (await findTwice(claims(at, roles)))?.isAdmin

  expect(await isAdmin(0, 'user')).toBe(false)
  expect(await isAdmin(10, ['user', 'admin'])).toBe(true)
  expect(await isAdmin(0, 'user')).toBe(true)
  expect(await isAdmin(20, [['admin'], { admin: true }, 'administrator'])).toBe(false)
  expect(await isAdmin(10, ['user', 'admin'])).toBe(false)
  expect(await isAdmin(20, 'admin')).toBe(false)
  expect(await findTwice({ ...claims(0, 'admin'), iat: undefined })).toMatchObject({ isAdmin: false })
  const order = [30, 31, 32, 33, 34, 35, 36, 37].map((at) =>
    find(claims(at, at % 2 ? 'admin' : 'user'), at % 3 ? service : other),
  )
  await Promise.all(order)
  expect(await isAdmin(0)).toBe(true)
  expect((await find({ sub: 'other id', name: 'Plain', iat: undefined, roles: 'admin' }))?.isAdmin).toBe(false)
})

it('a role ends with the token that gave it, at most an hour after its issue, unless a newer one renews it', async () => {
  const give = (sub: string, exp: number) => find({ sub, name: sub, roles: 'admin', exp: now() + exp })
  const isAdmin = async (sub: string) =>
    (await find({ sub, name: sub, iat: undefined }))?.isAdmin === true &&
    (await find({ sub, name: sub, iat: undefined }, other))?.isAdmin === true
  for (const [sub, exp] of [
    ['brief', 600],
    ['long', 7_200],
    ['renewed', 600],
  ] as const)
    expect(await give(sub, exp)).toMatchObject({ isAdmin: true })
  await caughtUp()
  ahead += 590_000
  expect(await Promise.all(['brief', 'long', 'renewed'].map(isAdmin))).toEqual([true, true, true])
  await give('renewed', 600)
  ahead += 20_000
  expect(await Promise.all(['brief', 'long', 'renewed'].map(isAdmin))).toEqual([false, true, true])
  ahead += 3_600_000
  expect(await Promise.all(['brief', 'long', 'renewed'].map(isAdmin))).toEqual([false, false, false])
})

it('a role that has ended is no role in the profile, and makes nobody the last admin', async () => {
  await db.users.deleteMany({})
  const ended = await find({ sub: 'ended', name: 'Ended', roles: 'admin', exp: now() + 600 })
  const rolesOf = async () => (await service.guest.get(`/user/${ended?._id}`)).body.roles
  expect(await rolesOf()).toEqual(['user', 'admin'])
  ahead += 601_000
  expect(await rolesOf()).toEqual(['user'])
  expect((await service.guest.get('/user/search?searchString=Ended')).body.roles).toEqual(['user'])

  await find({ sub: 'last', name: 'Last', roles: 'admin' })
  expect((await remove('last')).status).toBe(409)
  await db.users.deleteOne({ externalId: 'last' })
  expect((await remove('ended')).status).toBe(200)
})

it('a deleted user comes back by a later token alone, once everything is erased, and the old tokens stay void; a suspension stays', async () => {
  const sub = 'gone/with=signs'
  const before = { sub, name: 'Gone', iat: nowSeconds(), exp: now() + 100_000 }
  const found = await find(before)
  const suspension = { until: null, reason: 'Spam', at: clock(), by: new ObjectId() }
  await db.users.updateOne({ externalId: sub }, { $set: { suspension } })
  expect(await find({ ...before, iat: undefined })).not.toBeNull()
  // This instance waits for the caches of the other.
  expect(await remove(sub, other)).toMatchObject({ status: 200, body: { userId: found?._id.toHexString() } })
  const findEarlier = [find(before), find(before, other), find({ ...before, iat: undefined })]
  expect(await Promise.all(findEarlier)).toEqual([null, null, null])

  const later = { ...before, iat: nowSeconds() + 2 }
  await expect(find(later)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await db.deletedUsers.updateOne({ _id: found?._id ?? new ObjectId() }, { $set: { erasedAt: new Date() } })
  expect(await findTwice(later)).toMatchObject({ _id: found?._id, userName: 'Gone' })
  expect((await storedOf(sub))?.suspension).toEqual(suspension)
  expect([await find(before), await find({ ...before, iat: undefined })]).toEqual([null, null])
})

it('200 for the deletion of a user who was never seen: an earlier token makes no user', async () => {
  const id = new ObjectId().toHexString()
  const iat = nowSeconds()
  expect([(await remove(id)).status, (await remove('never')).status, (await remove('never')).status]).toEqual([
    200, 200, 200,
  ])
  expect([await find({ sub: id, iat }), await find({ sub: 'never', iat })]).toEqual([null, null])
  expect(await find({ sub: 'never', name: 'Never', iat: nowSeconds() + 2 })).toMatchObject({ userName: 'Never' })
})

it('a deletion and a first sight at the same time leave no user, whoever is first', async () => {
  const iat = nowSeconds()
  const subs = Array.from({ length: 20 }, (_, round) => `race ${round}`)
  const seeBoth = (sub: string) => [service, other].map((at) => find({ sub, name: sub, iat }, at))
  await Promise.all(
    subs.flatMap((sub, round) => (round % 2 ? [remove(sub), ...seeBoth(sub)] : [...seeBoth(sub), remove(sub)])),
  )
  expect(await db.users.countDocuments({ externalId: { $in: subs } })).toBe(0)
})
