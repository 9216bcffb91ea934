import { expect, it } from 'vitest'
import { logInDevice, signUpDevice } from '../../../support/clients/device.ts'
import { runCommand } from '../../../support/processes/run-command.ts'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService()

const password = (args: string[]) => runCommand('password-command', args, { MONGODB_URI: service.mongodbUri })

const logIn = async (email: string, password: string) =>
  (await service.guest.post('/auth/login', { body: { email, password } })).status

it('prints a new password, another one each time, which signs in; the old one and every session end, of this user only', async () => {
  const account = await signUpDevice(service)
  const other = await logInDevice(service.guest, account)
  const bystander = await signUpDevice(service)
  const end = await password([account.userName.toUpperCase()])

  expect(end).toMatchObject({ code: 0, stderr: '' })
  const [, printed = ''] = /^The new password of reader \d+: (\S{16,})\n$/.exec(end.stdout) ?? []
  expect(await logIn(account.email, printed)).toBe(200)
  expect(await logIn(account.email, account.password)).toBe(401)
  for (const device of [account.device, other]) expect((await device.post('/auth/refresh-token')).status).toBe(401)
  expect((await bystander.device.post('/auth/refresh-token')).status).toBe(200)
  const actions = await service.db.staffActions.find({ 'target.id': account.userId }).toArray()
  expect(actions).toEqual([expect.objectContaining({ admin: null, action: 'password-reset' })])
  expect(JSON.stringify(actions)).not.toContain(printed)
  expect((await password([account.userName])).stdout).not.toBe(end.stdout)
})

it('prints a one-time link with --link, which sets a new password; not for an admin', async () => {
  const { userName, email, userId } = await signUpDevice(service)
  const { stdout, code } = await password([userName.toUpperCase(), '--link'])
  expect(code).toBe(0)
  const [, token = ''] = /^Until \S+Z, once: \S+\/console#\/reset\/([\w-]{43})\n$/.exec(stdout) ?? []
  const body = { token, password: 'a password by link' }
  expect(await service.guest.post('/auth/reset', { body })).toMatchObject({ status: 200, body: { userId } })
  expect(await logIn(email, 'a password by link')).toBe(200)
  const actions = await service.db.staffActions.find({ 'target.id': userId }).toArray()
  expect(actions).toEqual([expect.objectContaining({ admin: null, action: 'reset-link-made' })])

  await service.caller({ userName: 'an-admin', isAdmin: true })
  expect(await password(['an-admin', '--link'])).toMatchObject({ code: 1, stdout: '' })
})
