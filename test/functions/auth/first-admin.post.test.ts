import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { offerFirstAdmin, setAdminRole } from '#lib/domain/auth/admin-role'
import { signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService({ env: { TRUST_PROXY: '1' } })
const { db } = service
let addresses = 0

beforeEach(() => db.users.updateMany({ roles: 'admin' }, { $set: { roles: ['user'] } }))

const use = ({ device }: Pick<Awaited<ReturnType<typeof signUpDevice>>, 'device'>, token: string | null) =>
  device.post('/auth/first-admin', { body: { token }, headers: { 'x-forwarded-for': `10.3.0.${++addresses}` } })

it('200 once: a signed-in user becomes admin, with an entry in the staff log', async () => {
  const [one, two] = [await signUpDevice(service), await signUpDevice(service)]
  const token = await offerFirstAdmin(db)
  expect(JSON.stringify(await db.leases.find().toArray())).not.toContain(token)
  const answers = await Promise.all([use(one, token), use(two, token)])

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  const [winner] = await db.users.find({ roles: 'admin' }).toArray()
  expect(answers.find(({ status }) => status === 200)?.body).toEqual({ userId: String(winner?._id) })
  expect(await db.users.countDocuments({ roles: 'admin' })).toBe(1)
  const log = { action: 'admin-granted' as const, 'target.id': String(winner?._id), admin: null }
  expect(await db.staffActions.countDocuments(log)).toBe(1)
  const { device } = String(winner?._id) === one.userId ? one : two
  expect((await device.get('/auth/session')).body.roles).toEqual(['user', 'admin'])
  expect(await offerFirstAdmin(db)).toBeNull()
})

it('404 for a token that a later start replaced, that has expired, or that is none', async () => {
  const account = await signUpDevice(service)
  const replaced = await offerFirstAdmin(db)
  const token = await offerFirstAdmin(db)
  expect((await use(account, replaced)).status).toBe(404)
  expect((await use(account, 'none')).status).toBe(404)
  await db.leases.updateOne({ _id: 'first-admin' }, { $set: { until: new Date(Date.now() - 1) } })
  expect((await use(account, token)).status).toBe(404)
})

it('409 once an admin is stored', async () => {
  const account = await signUpDevice(service)
  const token = await offerFirstAdmin(db)
  await service.caller({ isAdmin: true })

  expect(await use(account, token)).toMatchObject({ status: 409, body: { message: 'There is an admin already' } })
  expect(await db.users.countDocuments({ _id: new ObjectId(account.userId), roles: 'admin' })).toBe(0)
})

it('404 for a token from before an admin was made by command, also when there is none any more', async () => {
  const [one, two] = [await signUpDevice(service), await signUpDevice(service)]
  const token = await offerFirstAdmin(db)
  await setAdminRole(service.deps, { userName: two.userName, isAdmin: true })
  await setAdminRole(service.deps, { userName: two.userName, isAdmin: false })

  expect((await use(one, token)).status).toBe(404)
})

it('200 when the role that a site gave the only admin has ended, also for that user', async () => {
  const { device, userId } = await signUpDevice(service)
  const ended = { roles: ['user' as const, 'admin' as const], 'site.roleUntil': new Date(Date.now() - 1) }
  await db.users.updateOne({ _id: new ObjectId(userId) }, { $set: ended })
  expect((await use({ device }, await offerFirstAdmin(db))).status).toBe(200)
  expect((await device.get('/auth/session')).body.roles).toEqual(['user', 'admin'])
})
