import { expect, it } from 'vitest'
import { signUpDevice } from '../../../support/clients/device.ts'
import { runCommand } from '../../../support/processes/run-command.ts'
import { untilErased } from '../../../support/scenes/account-scene.ts'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService()

const user = (args: string[]) => runCommand('user-command', args, { MONGODB_URI: service.mongodbUri })

it('closes the account of a name in any case, which the running service erases', async () => {
  service.deps.accountErasure.start()
  const { device, userName, userId } = await signUpDevice(service)

  expect(await user(['delete', userName.toUpperCase()])).toMatchObject({ code: 0, stderr: '' })
  expect((await device.get('/auth/session')).status).toBe(401)
  await untilErased(service.db, [userId])
})

it('prints one line and exits 1 for an unknown name, the last admin and missing words', async () => {
  await service.caller({ userName: 'only-admin', isAdmin: true })

  expect(await user(['delete', 'nobody'])).toMatchObject({ code: 1, stderr: 'There is no user nobody\n' })
  const last = await user(['delete', 'only-admin'])
  expect(last).toMatchObject({ code: 1, stderr: 'The last admin cannot be deleted\n' })
  expect(await user(['only-admin'])).toMatchObject({ code: 1, stderr: 'Usage: npm run user -- delete <userName>\n' })
})
