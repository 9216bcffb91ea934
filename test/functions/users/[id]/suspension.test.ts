import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { closeAccount } from '#lib/domain/accounts/close-account'
import { loadFunctions } from '#lib/web/http/load-functions'
import type { Caller } from '../../../support/clients/caller.ts'
import { ask, openClient, untilConnected } from '../../../support/clients/clients.ts'
import { logInDevice, signUpDevice } from '../../../support/clients/device.ts'
import { insertNotification, insertRequest } from '../../../support/rows/rows.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

let ahead = 0
const { service, admin, gameId, insert } = await useDiscussion({ clock: () => new Date(Date.now() + ahead) })
const { db } = service
const FOR_GOOD = { until: null, reason: ' Links to <b>casinos</b>, $again ' }
const REFUSAL = 'You are suspended for good: Links to <b>casinos</b>, $again'
const inAMinute = () => new Date(Date.now() + 60_000).toISOString()

const suspend = (id: string, body: object = FOR_GOOD) => admin.put(`/users/${id}/suspension`, { body })
const comment = (user: Caller) => user.post('/comments', { body: { gameId, body: 'Hello' } })
const actionsOf = (id: string) => db.staffActions.find({ 'target.id': id }).sort({ at: 1 }).toArray()

it('403 for each change of a suspended user but those that the contract admits; reads and the way out stay', async () => {
  const user = await service.caller()
  const userId = new ObjectId(user.id)
  const commentId = await insert({ userId })
  const royal = await untilConnected(openClient(service.baseUrl, '/royal', { cookie: user.cookie }))
  const notificationId = await insertNotification(db, { userId, type: 'comment-reply' })
  const proposal = await insertRequest(db, { userId })
  expect(await suspend(user.id)).toMatchObject({
    status: 200,
    body: { _id: user.id, suspension: { until: null, reason: FOR_GOOD.reason.trim() } },
  })

  for (const refused of [
    await comment(user),
    await user.patch(`/comments/${commentId}`, { body: { body: 'Edited' } }),
    await user.put(`/comments/${await insert()}/like`),
    await user.post(`/comments/${await insert()}/report`),
    await user.patch(`/user/${user.id}`, { body: { description: 'me' } }),
    await user.post('/requests', { body: {} }),
    await user.delete(`/user/presets/${user.id}?name=x`),
  ])
    expect(refused).toMatchObject({ status: 403, body: { message: REFUSAL } })
  const add = await ask(royal, 'royal:add', { gameIds: [String(gameId)] })
  expect(add).toEqual({ ok: false, error: REFUSAL })
  expect(await ask(royal, 'royal:sync')).toEqual({ ok: true, royalGames: [], rejected: [] })

  expect((await user.get('/auth/session')).status).toBe(200)
  const { items } = (await user.get('/notifications?types=all')).body
  expect(items[0]).toMatchObject({
    type: 'account-suspended',
    payload: { reason: FOR_GOOD.reason.trim(), until: null },
  })
  for (const path of [`/notifications/${notificationId}`, `/comments/${commentId}`, `/requests/${proposal._id}`])
    expect(await user.delete(path)).toMatchObject({ status: 200 })
  expect((await user.patch('/notifications/read', { body: { all: true } })).status).toBe(200)
  expect((await admin.delete(`/users/${user.id}/suspension`)).body).toEqual({ _id: user.id, suspension: null })
  expect((await comment(user)).status).toBe(201)
  expect((await ask(royal, 'royal:add', { gameIds: [String(gameId)] })).ok).toBe(true)
})

it('suspended users may make exactly these changes', async () => {
  const functions = await loadFunctions()
  const allowed = functions.filter(({ definition: { suspended } }) => suspended).map(({ file }) => file)
  expect(allowed.map((file) => file.replace(/\.js$|\.ts$/, '')).sort()).toEqual([
    'auth/password.put',
    'auth/sessions.delete',
    'auth/sessions/[id].delete',
    'comments/[id].delete',
    'notifications/[id].delete',
    'notifications/read.patch',
    'requests/[id].delete',
    'user/[id].delete',
  ])
})

it('403 for a change whose body arrives after the answer', async () => {
  const user = await service.caller()
  const body = JSON.stringify({ gameId, body: 'Slow' })
  const headers = { 'content-type': 'application/json', 'content-length': body.length, cookie: user.cookie }
  const slow = request(`${service.baseUrl}/comments`, { method: 'POST', headers })
  const answered = new Promise<number | undefined>((resolve) =>
    slow.on('response', (answer) => resolve(answer.statusCode)),
  )
  slow.write(body.slice(0, 5))
  await comment(user)
  await suspend(user.id)
  slow.end(body.slice(5))
  expect(await answered).toBe(403)
})

it('a suspension ends at its time, which its refusals name', async () => {
  const user = await service.caller()
  const until = inAMinute()
  await suspend(user.id, { until, reason: 'Cool down' })
  const minute = until.slice(0, 16).replace('T', ' ')
  expect((await comment(user)).body.message).toBe(`You are suspended until ${minute} UTC: Cool down`)
  ahead = 60_000
  const after = await comment(user)
  ahead = 0
  expect(after.status).toBe(201)
})

it('200: a suspension stores a staff action and a notification, its end a staff action, a repeated end nothing', async () => {
  const user = await service.caller()
  const until = inAMinute()
  await suspend(user.id, { until, reason: 'Spam' })
  await suspend(user.id)
  for (const _ of 'ab') expect((await admin.delete(`/users/${user.id}/suspension`)).status).toBe(200)

  const [first, second, end, ...others] = await actionsOf(user.id)
  expect(others).toEqual([])
  expect(first).toMatchObject({ action: 'user-suspended', details: { until, reason: 'Spam' } })
  expect(second).toMatchObject({ action: 'user-suspended', details: { until: null } })
  expect(end).toMatchObject({ action: 'suspension-ended', admin: { userId: new ObjectId(admin.id) } })
  expect(await db.notifications.countDocuments({ userId: new ObjectId(user.id) })).toBe(1)
  const { suspensions } = (await user.get(`/user/${user.id}/export`)).body
  expect(suspensions).toEqual([
    { at: second?.at.toISOString(), until: null, reason: FOR_GOOD.reason.trim(), endedAt: end?.at.toISOString() },
    { at: first?.at.toISOString(), until, reason: 'Spam', endedAt: second?.at.toISOString() },
  ])
})

it('400 for a wrong end or an empty reason, 403 for an admin: nothing changes', async () => {
  const user = await service.caller()
  const past = new Date(Date.now() - 1_000).toISOString()
  for (const body of [
    { until: past, reason: 'x' },
    { until: 'soon', reason: 'x' },
    { until: null, reason: ' ' },
  ])
    expect(await suspend(user.id, body)).toMatchObject({ status: 400 })
  expect(await suspend(admin.id)).toMatchObject({ status: 403, body: { message: 'Admins cannot be suspended' } })
  expect(await db.users.countDocuments({ suspension: { $exists: true }, _id: new ObjectId(user.id) })).toBe(0)
  expect(await actionsOf(admin.id)).toEqual([])
})

it('403 for a new account of the same address, until an admin ends the suspension', async () => {
  const account = await signUpDevice(service)
  await suspend(account.userId)
  expect((await account.device.delete(`/user/${account.userId}`, { body: account })).status).toBe(200)
  // A copy of the database alone does not suffice to try addresses.
  const kept = await db.deletedUsers.findOne({ _id: new ObjectId(account.userId) })
  expect(kept?.addressHash).toHaveLength(43)
  expect(kept?.addressHash).not.toBe(createHash('sha256').update(account.email).digest('base64url'))
  const body = { userName: `${account.userName} two`, email: account.email.toUpperCase(), password: account.password }
  expect((await service.guest.post('/auth/signup', { body })).status).toBe(200)

  const device = await logInDevice(service.guest, account)
  const again = await device.post('/comments', { body: { gameId, body: 'Again' } })
  expect(again).toMatchObject({ status: 403, body: { message: REFUSAL } })

  const next = (await db.users.findOne({ userName: body.userName }))?._id
  expect((await admin.delete(`/users/${next}/suspension`)).status).toBe(200)
  expect(await closeAccount(service.deps, { filter: { userName: body.userName }, isRecorded: false })).toEqual(next)
  expect((await service.guest.post('/auth/signup', { body })).status).toBe(200)
  const third = await logInDevice(service.guest, account)
  expect((await third.post('/comments', { body: { gameId, body: 'Again' } })).status).toBe(201)
})

it('200 for a suspended user who signs in and out, changes the password, and ends or refreshes sessions', async () => {
  const account = await signUpDevice(service)
  const other = await logInDevice(service.guest, account)
  await suspend(account.userId)
  const change = { currentPassword: account.password, newPassword: 'another long password' }
  expect((await account.device.put('/auth/password', { body: change })).status).toBe(200)
  expect((await other.get('/auth/session')).status).toBe(401)
  const device = await logInDevice(service.guest, { ...account, password: change.newPassword })
  expect((await device.post('/auth/refresh-token')).status).toBe(200)
  expect((await device.delete('/auth/sessions')).status).toBe(200)
  expect((await device.get('/auth/sessions')).body.results).toHaveLength(1)
  expect((await device.post('/auth/logout')).status).toBe(200)
  expect((await device.get('/auth/session')).status).toBe(401)
})
