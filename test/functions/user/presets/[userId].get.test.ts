import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../../../support/service/start-service.ts'

const service = await startService()
const alice = await service.caller()
const bob = await service.caller()
await bob.put(`/user/presets/${bob.id}`, { body: { name: 'theirs', preset: '1' } })
afterAll(() => service.close())

describe('GET /user/presets/:userId', () => {
  test('200 with an empty list for an owner who saved none', async () => {
    const answer = await alice.get(`/user/presets/${alice.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ _id: alice.id, presets: [] })
  })

  test('200 with the presets of the owner, whatever the case of the id', async () => {
    const answer = await bob.get(`/user/presets/${bob.id.toUpperCase()}`)
    expect(answer.body).toEqual({ _id: bob.id, presets: [{ name: 'theirs', preset: '1' }] })
  })

  test('401 without a session, 403 for others and admins, also of somebody who does not exist', async () => {
    const admin = await service.caller({ isAdmin: true })
    expect((await service.guest.get(`/user/presets/${bob.id}`)).status).toBe(401)
    expect((await alice.get(`/user/presets/${bob.id}`)).status).toBe(403)
    expect((await admin.get(`/user/presets/${bob.id}`)).status).toBe(403)
    expect((await alice.get(`/user/presets/${new ObjectId().toHexString()}`)).status).toBe(403)
  })
})
