import { expect, it } from 'vitest'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()

it('200 with the user and the roles as they are stored', async () => {
  const user = await service.caller({ userName: 'reader' })
  const admin = await service.caller({ userName: 'boss', isAdmin: true })

  expect(await user.get('/auth/session')).toMatchObject({
    status: 200,
    body: { userId: user.id, userName: 'reader', roles: ['user'] },
  })
  expect((await admin.get('/auth/session')).body.roles).toEqual(['user', 'admin'])
})
