import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { expectIndexed, profile } from '../../../support/clients/profile.ts'
import { insertRequest } from '../../../support/rows/rows.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const { service, admin, reader, author, insert } = await useDiscussion()
const { db } = service

async function insertSession(userId: ObjectId, address: string, days: number) {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1_000)
  const names = { tokenHash: String(new ObjectId()), familyId: String(new ObjectId()) }
  await db.refreshTokens.insertOne({
    ...{ _id: new ObjectId(), ...names, userId, address, rotated: [], passwordStamp: null },
    ...{ expiresAt: new Date(Date.now() + 1e9), createdAt: at, updatedAt: at },
  })
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
  await insertSession(userId, '192.0.2.1', 2)
  await insertSession(userId, '192.0.2.2', 1)
  await insertSession(userId, '192.0.2.3', 31)
  await insertSession(new ObjectId(other.id), '192.0.2.1', 3)
  await insertSession(new ObjectId(reader.id), '192.0.2.3', 3)
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
  for (const name of ['comments', 'contentRequests', 'reports', 'staffActions'] as const)
    expectIndexed(await profile(db, name, () => admin.get(`/users/${user.id}/record`)))
})

it('404 for an unknown user, also for a note and an act; 400 for an empty or a long note', async () => {
  const unknown = `/users/${new ObjectId()}`
  expect((await admin.get(`${unknown}/record`)).status).toBe(404)
  expect((await admin.post(`${unknown}/notes`, { body: { text: 'x' } })).status).toBe(404)
  expect((await admin.post(`${unknown}/hide-comments`)).status).toBe(404)
  expect((await admin.delete(`/users/${author.id}/hide-comments/${new ObjectId()}`)).status).toBe(404)
  for (const text of ['', ' ', 'x'.repeat(1_001)])
    expect((await admin.post(`/users/${author.id}/notes`, { body: { text } })).status).toBe(400)
})
