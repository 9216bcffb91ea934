import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { openClient, untilConnected, untilRefused } from '../support/clients/clients.ts'
import { watchConflicts } from '../support/clients/watch-conflicts.ts'
import { SITE, useService } from '../support/service/start-service.ts'

const service = await useService()

const connect = (options: Parameters<typeof openClient>[2]) => openClient(service.baseUrl, '/conflicts', options)
const TRANSPORTS = [['websocket'], ['polling']]

it('/conflicts admits admins over either transport, from the site and from no page', async () => {
  const { cookie } = await service.caller({ isAdmin: true })
  for (const transports of TRANSPORTS) {
    await untilConnected(connect({ cookie, transports }))
    await untilConnected(connect({ cookie, transports, origin: SITE }))
  }
})

it('/conflicts refuses a signed-in user who is no admin with Forbidden', async () => {
  const { cookie } = await service.caller()
  for (const transports of TRANSPORTS) expect(await untilRefused(connect({ cookie, transports }))).toBe('Forbidden')
})

it('/conflicts reads the role at the connect only', async () => {
  const admin = await service.caller({ isAdmin: true })
  const tab = await watchConflicts(service, admin)
  await service.db.users.updateOne({ _id: new ObjectId(admin.id) }, { $set: { roles: ['user'] } })

  expect(await untilRefused(connect({ cookie: admin.cookie }))).toBe('Forbidden')
  expect(await tab.seen()).toEqual([])
})
