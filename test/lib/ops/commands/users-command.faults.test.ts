import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { signUpDevice } from '../../../support/clients/device.ts'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { insertComment } from '../../../support/rows/rows.ts'
import { untilErased } from '../../../support/scenes/account-scene.ts'
import { useService } from '../../../support/service/start-service.ts'

const USAGE = 'Usage: npm run users -- list | show <userName> | sign-out <userName> | delete <userName>\n'

const service = await useService()

const users = (args: string[], env: Record<string, string> = {}) =>
  runCommand('users-command', args, { MONGODB_URI: service.mongodbUri, ...env })

it('prints that there are no users', async () => {
  expect(await users(['list'])).toMatchObject({ code: 0, stdout: 'There are no users\n' })
})

it('closes the account of a name in any case, which the running service erases', async () => {
  service.deps.accountErasure.start()
  const { device, userName, userId } = await signUpDevice(service)

  expect(await users(['delete', userName.toUpperCase()])).toMatchObject({ code: 0, stderr: '' })
  expect((await device.get('/auth/session')).status).toBe(401)
  await untilErased(service.db, [{ id: userId }])
})

it('prints one line and exits 1 for an unknown name, the last admin and missing words', async () => {
  await service.caller({ userName: 'only-admin', isAdmin: true })

  expect(await users(['delete', 'nobody'])).toEqual(refusedWith('There is no user nobody\n'))
  expect(await users(['delete', 'only-admin'])).toEqual(refusedWith('The last admin cannot be deleted\n'))
  expect(await users(['only-admin'])).toEqual(refusedWith(USAGE))
})

it('lists users in the order of their names, and shows one with id, address, counts and sessions', async () => {
  await service.caller({ userName: 'Keeper', isAdmin: true })
  const { userName, userId: id } = await signUpDevice(service)
  const userId = new ObjectId(id)
  await insertComment(service.db, { gameId: userId, userId })
  await service.db.users.updateOne(
    { _id: userId },
    { $set: { suspension: { until: null, reason: 'Spam', at: new Date(), by: userId } } },
  )
  const day = new Date().toISOString().slice(0, 10)

  const list = await users(['list'])
  expect(list.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Keeper, since \d{4}-\d\d-\d\d, admin$/),
      `${userName}, since ${day}, suspended for good`,
    ]),
  )
  const shown = (await users(['show', userName.toUpperCase()])).stdout.split('\n')
  expect(shown).toEqual([
    `${userName}, since ${day}, suspended for good`,
    `id: ${id}`,
    expect.stringMatching(/^e-mail: .+@/),
    'comments: 1',
    'requests: 0',
    expect.stringMatching(/^session: .+, \d{4}-.+Z, 127\.0\.0\.1$/),
    '',
  ])
})

it('signs a user out everywhere, who signs in again with the same password', async () => {
  const { device, userName, email, password } = await signUpDevice(service)
  const other = await signUpDevice(service)
  expect(await users(['sign-out', userName])).toMatchObject({
    code: 0,
    stdout: `Every session of ${userName} has ended\n`,
  })
  expect((await device.get('/auth/session')).status).toBe(401)
  expect((await device.post('/auth/refresh-token')).status).toBe(401)
  expect((await other.device.get('/auth/session')).status).toBe(200)
  expect((await device.post('/auth/login', { body: { email, password } })).status).toBe(200)

  const ofSite = await users(['sign-out', userName], {
    ACCOUNTS: 'site',
    SESSION_REQUIRE: 'typ=access',
    JWT_SECRET: 'x'.repeat(32),
    SIGN_IN_URL: 'http://localhost/sign-in',
  })
  expect(ofSite).toEqual(refusedWith('The site makes the sessions of its users, and ends them\n'))
})
