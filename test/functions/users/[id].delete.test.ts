import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { createKey } from '#lib/domain/service-keys/create-key'
import { signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()
const key = await createKey(service.deps, { name: 'site', scopes: ['users'] })
const program = { headers: { authorization: `Bearer ${key}` } }

it('200 for a service key: the account is closed, and the staff log names nobody', async () => {
  const { device, userId, userName } = await signUpDevice(service)

  expect(await service.guest.delete(`/users/${userId}`, program)).toMatchObject({ status: 200, body: { userId } })
  expect((await device.get('/auth/session')).status).toBe(401)
  const [action] = await service.db.staffActions.find({ action: 'user-deleted' }).toArray()
  expect(action).toMatchObject({ admin: null, target: { kind: 'user', id: userId } })
  expect(JSON.stringify(action)).not.toContain(userName)
})

it('401 for an admin, 409 for the last admin', async () => {
  const admin = await service.caller({ isAdmin: true })
  const { userId } = await signUpDevice(service)

  expect((await admin.delete(`/users/${userId}`)).status).toBe(401)
  expect((await service.guest.delete(`/users/${admin.id}`, program)).status).toBe(409)
  expect(await service.db.users.countDocuments({ _id: { $in: [new ObjectId(userId), new ObjectId(admin.id)] } })).toBe(
    2,
  )
})
