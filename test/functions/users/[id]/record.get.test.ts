import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { createDevice, signUpDevice } from '../../../support/clients/device.ts'
import { expectIndexed, profile } from '../../../support/clients/profile.ts'
import { insertRequest } from '../../../support/rows/rows.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const { service, admin, reader, insert } = await useDiscussion({ env: { TRUST_PROXY: '1' } })
const { db } = service

async function insertAddress(userId: ObjectId, address: string, days: number) {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1_000)
  await db.userAddresses.insertOne({ _id: new ObjectId(), userId, address, at })
}

it('200 with numbers, suspensions, shared addresses, notes, acts, last comments and requests of this user alone', async () => {
  const user = await service.caller()
  const other = await service.caller({ userName: 'other' })
  const userId = new ObjectId(user.id)
  const visible = await insert({ userId })
  const hidden = await insert({ userId, status: 'hidden' })
  await insert({ userId, status: 'deleted', body: '' })
  await insert()
  await reader.post(`/comments/${visible}/report`)
  await user.post(`/comments/${await insert()}/report`)
  await insertRequest(db, { userId, status: 'approved' })
  const pending = await insertRequest(db, { userId })
  await insertAddress(userId, '192.0.2.1', 2)
  await insertAddress(userId, '192.0.2.2', 1)
  await insertAddress(userId, '192.0.2.3', 31)
  await insertAddress(new ObjectId(other.id), '192.0.2.1', 3)
  await insertAddress(new ObjectId(reader.id), '192.0.2.3', 3)
  await admin.put(`/users/${user.id}/suspension`, { body: { until: null, reason: 'Spam' } })
  const note = await admin.post(`/users/${user.id}/notes`, { body: { text: ' Seen before ' } })
  expect(note).toMatchObject({ status: 200, body: { by: admin.user?.userName, text: 'Seen before' } })
  const { actId } = (await admin.post(`/users/${user.id}/hide-comments`)).body

  const { body, status } = await admin.get(`/users/${user.id}/record`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    user: { _id: user.id, roles: ['user'] },
    comments: { visible: 1, hidden: 1, deleted: 1 },
    requests: { pending: 1, approved: 1, rejected: 0, withdrawn: 0 },
    reports: { made: { open: 1, actedOn: 0, kept: 0 }, received: { open: 1, actedOn: 0, kept: 0 } },
    suspension: { until: null, reason: 'Spam' },
    suspensions: [{ until: null, reason: 'Spam', endedAt: null }],
    sharing: [{ _id: other.id, userName: 'other', address: '192.0.2.1' }],
    notes: [{ _id: note.body._id, text: 'Seen before', by: admin.user?.userName }],
    acts: [{ actId, count: null, isUndone: false }],
  })
  expect(body.addresses.map(({ address }: { address: string }) => address)).toEqual(['192.0.2.2', '192.0.2.1'])
  expect(body.lastComments.map(({ _id }: { _id: string }) => _id)).toEqual(
    expect.arrayContaining([String(visible), String(hidden)]),
  )
  expect(body.lastRequests[0]._id).toBe(String(pending._id))
  for (const name of ['comments', 'contentRequests', 'reports', 'staffActions', 'userAddresses'] as const)
    expectIndexed(await profile(db, name, () => admin.get(`/users/${user.id}/record`)))
})

it('200 naming who shares an address after every session has ended, an IPv6 one by its /64, for 30 days', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const { device, userId, email, password } = await signUpDevice(service)
  const logIn = (address: string) => device.post('/auth/login', { body: { email, password }, ...from(address) })
  await Promise.all(['192.0.2.31', '192.0.2.31', '192.0.2.32'].map(logIn))
  await logIn('2001:db8::1')
  expect((await device.post('/auth/logout')).status).toBe(200)
  const second = createDevice(service.guest)
  const body = { userName: 'second', email: 'second@example.org', password: 'long enough' }
  const { body: signedUp } = await second.post('/auth/signup', { body, ...from('2001:db8::2') })
  expect((await second.post('/auth/refresh-token', from('192.0.2.33'))).status).toBe(200)

  const read = async (id: string) => (await admin.get(`/users/${id}/record`)).body
  const addressesOf = ({ addresses }: { addresses: { address: string }[] }) => addresses.map(({ address }) => address)
  const record = await read(userId)
  expect(record.sharing).toEqual([{ _id: signedUp.userId, userName: 'second', address: '2001:db8::/64' }])
  expect(addressesOf(record)).toHaveLength(4)
  expect(addressesOf(record)).toEqual(expect.arrayContaining(['2001:db8::/64', '192.0.2.31', '192.0.2.32']))
  expect(addressesOf(await read(signedUp.userId))).toEqual(['192.0.2.33', '2001:db8::/64'])

  const at = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000)
  await db.userAddresses.updateMany({ userId: new ObjectId(signedUp.userId) }, { $set: { at } })
  expect((await read(userId)).sharing).toEqual([])
})

it('200 naming the ten accounts that used a shared address last, and reading no more than they need', async () => {
  const user = await service.caller()
  await insertAddress(new ObjectId(user.id), '192.0.2.9', 0)
  const names: (string | undefined)[] = []
  for (let n = 0; n < 12; n++) {
    const other = await service.caller()
    await insertAddress(new ObjectId(other.id), '192.0.2.9', n)
    names.push(other.user?.userName)
  }
  const stranger = { address: '192.0.2.9', at: new Date(Date.now() - 20 * 24 * 60 * 60 * 1_000) }
  const strangers = Array.from({ length: 300 }, () => ({ _id: new ObjectId(), userId: new ObjectId(), ...stranger }))
  await db.userAddresses.insertMany(strangers)
  const read = async () => (await admin.get(`/users/${user.id}/record`)).body.sharing
  expect((await read()).map(({ userName }: { userName: string }) => userName)).toEqual(names.slice(0, 10))
  expectIndexed(await profile(db, 'userAddresses', read), { keys: 110, docs: 100 })
})
