import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService({ env: { TRUST_PROXY: '1', PUBLIC_URL: 'https://hall.example/api' } })
const admin = await service.caller({ isAdmin: true, userName: 'keeper' })
const { users } = service.db
let addresses = 0

const PASSWORD = 'a new password'
const makeLink = (userId: string) => admin.post(`/users/${userId}/reset-link`)
const tokenOf = ({ body }: { body: { url: string } }) => body.url.split('/').at(-1) ?? ''
const reset = (token: string, password = PASSWORD, address = `10.1.0.${++addresses}`) =>
  service.guest.post('/auth/reset', { body: { token, password }, headers: { 'x-forwarded-for': address } })
const logIn = async (email: string, password: string) =>
  (await service.guest.post('/auth/login', { body: { email, password } })).status

it('200 with the link, in the staff log without its token; a use sets the password once and ends every session', async () => {
  const { device, userId, userName, email, password } = await signUpDevice(service)
  const link = await makeLink(userId)

  expect(link).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(/^https:\/\/hall\.example\/api\/console#\/reset\/[\w-]{43}$/) },
  })
  expect(Date.parse(link.body.expiresAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  const [action] = await service.db.staffActions.find({ 'target.id': userId }).toArray()
  expect(action).toMatchObject({ action: 'reset-link-made', admin: { userName: 'keeper' }, target: { name: userName } })
  const token = tokenOf(link)
  expect(JSON.stringify([action, await users.findOne({ _id: new ObjectId(userId) })])).not.toContain(token)

  expect((await reset(token, 'short')).status).toBe(400)
  const [one, two] = await Promise.all([reset(token), reset(token)])
  expect([one.status, two.status].sort()).toEqual([200, 404])
  expect((await reset(token)).status).toBe(404)
  expect((await device.get('/auth/session')).status).toBe(401)
  expect((await device.post('/auth/refresh-token')).status).toBe(401)
  expect([await logIn(email, password), await logIn(email, PASSWORD)]).toEqual([401, 200])
})

it.each<[string, (account: Awaited<ReturnType<typeof signUpDevice>>) => Promise<unknown>]>([
  ['a newer link', ({ userId }) => makeLink(userId)],
  [
    'a new password',
    ({ device, password }) =>
      device.put('/auth/password', { body: { currentPassword: password, newPassword: 'another password' } }),
  ],
  [
    'the admin role',
    ({ userId }) => users.updateOne({ _id: new ObjectId(userId) }, { $set: { roles: ['user', 'admin'] } }),
  ],
  [
    '24 hours',
    ({ userId }) =>
      users.updateOne({ _id: new ObjectId(userId) }, { $set: { 'resetLink.expiresAt': new Date(Date.now() - 1) } }),
  ],
])('404 for a link that %s made void', async (_, change) => {
  const account = await signUpDevice(service)
  const token = tokenOf(await makeLink(account.userId))
  await change(account)

  expect(await reset(token)).toMatchObject({
    status: 404,
    body: { message: 'This link was used already, or is no longer valid' },
  })
})

it('404 for a link of a deleted account, also when somebody else has taken its name', async () => {
  const { userId, userName, email } = await signUpDevice(service)
  const token = tokenOf(await makeLink(userId))
  await users.deleteOne({ _id: new ObjectId(userId) })
  await service.guest.post('/auth/signup', { body: { userName, email, password: 'a third password' } })

  expect((await reset(token)).status).toBe(404)
  expect(await logIn(email, 'a third password')).toBe(200)
})

it('403 for a link of an admin, 404 for one of a user of the site', async () => {
  const ofSite = { _id: new ObjectId(), userName: 'site-user', createdAt: new Date(), updatedAt: new Date() }
  await users.insertOne({ ...ofSite, externalId: 'someone' })

  expect((await makeLink(admin.id)).status).toBe(403)
  expect((await makeLink(String(ofSite._id))).status).toBe(404)
  expect(await users.countDocuments({ _id: new ObjectId(admin.id), resetLink: { $exists: true } })).toBe(0)
})

it('429 after 20 tries from one address, as sign-ins', async () => {
  const answers = []
  for (let count = 0; count < 21; count++) answers.push(await reset('unknown', PASSWORD, '10.2.0.1'))

  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(404), 429])
})
