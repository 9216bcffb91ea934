import { expect, it } from 'vitest'
import { logInDevice, signUpDevice } from '../../../support/clients/device.ts'
import { captureLog } from '../../../support/service/capture-log.ts'
import { useService } from '../../../support/service/start-service.ts'

const { log, lines, text } = captureLog('trace')

const service = await useService({ log })

it('the log has no password, no hash and no token', async () => {
  const password = 'unmistakable-password-1'
  const account = await signUpDevice(service, { password })
  const other = await logInDevice(service.guest, account)
  const secrets = [password, 'unmistakable-password-2', 'unmistakable-password-3']
  await service.guest.post('/auth/login', { body: { email: account.email, password: 'unmistakable-password-2' } })
  const stale = other.copy()
  for (const device of [account.device, other, stale]) {
    secrets.push(device.cookie('accessSessionToken') ?? '?', device.cookie('refreshSessionToken') ?? '?')
    await device.post('/auth/refresh-token')
    secrets.push(device.cookie('refreshSessionToken') ?? '?')
  }
  await service.db.refreshTokens.updateMany({}, { $set: { 'rotated.$[].at': new Date(0) } })
  expect((await stale.post('/auth/refresh-token')).status).toBe(401)
  const change = { currentPassword: password, newPassword: 'unmistakable-password-3' }
  await account.device.put('/auth/password', { body: change })
  await account.device.post('/auth/logout')
  const users = await service.db.users.find().toArray()
  secrets.push(...users.map(({ passwordHash }) => passwordHash ?? '?'))

  expect(lines.filter(({ msg }) => String(msg).includes('was reused'))).toHaveLength(1)
  expect(lines.length).toBeGreaterThan(8)
  for (const secret of secrets.flatMap((value) => value.split('.'))) expect(text()).not.toContain(secret)
})
