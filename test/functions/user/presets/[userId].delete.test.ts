import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { startService } from '../../../support/service/start-service.ts'

let alice: Caller
let bob: Caller

const pathOf = (owner: Caller, name?: string) =>
  `/user/presets/${owner.id}${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`
const namesOf = async (caller: Caller) =>
  (await caller.get(pathOf(caller))).body.presets.map(({ name }: { name: string }) => name)

const service = await startService()
beforeEach(async () => {
  alice = await service.caller()
  bob = await service.caller()
  for (const name of ['one', '$two.three', 'four']) {
    for (const caller of [alice, bob]) await caller.put(pathOf(caller), { body: { name, preset: 'x' } })
  }
})
afterAll(() => service.close())

describe('DELETE /user/presets/:userId', () => {
  test('200 with what is left; the presets of others stay', async () => {
    const answer = await alice.delete(pathOf(alice, '$two.three'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      _id: alice.id,
      presets: [
        { name: 'one', preset: 'x' },
        { name: 'four', preset: 'x' },
      ],
    })
    expect(await namesOf(bob)).toEqual(['one', '$two.three', 'four'])
  })

  test('200 for a name that is not there, and for an owner without any', async () => {
    for (const name of ['nothing', 'ONE', '$gt', '.*']) {
      const answer = await alice.delete(pathOf(alice, name))
      expect(answer.status).toBe(200)
      expect(answer.body.presets).toHaveLength(3)
    }
    const carol = await service.caller()
    expect((await carol.delete(pathOf(carol, 'one'))).body).toEqual({ _id: carol.id, presets: [] })
  })

  test('401 without a session, 403 for others and admins, and nothing is removed', async () => {
    const admin = await service.caller({ isAdmin: true })
    expect((await service.guest.delete(pathOf(alice, 'one'))).status).toBe(401)
    expect((await bob.delete(pathOf(alice, 'one'))).status).toBe(403)
    expect((await admin.delete(pathOf(alice, 'one'))).status).toBe(403)
    expect(await namesOf(alice)).toContain('one')
  })
})
