import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { ask, collect, openClient, untilConnected, untilRefused } from '../support/clients/clients.ts'
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

it('both events reach every admin with exactly their fields, and no other namespace', async () => {
  const [one, other] = [await service.caller({ isAdmin: true }), await service.caller({ isAdmin: true })]
  const tabs = [await watchConflicts(service, one), await watchConflicts(service, other)]
  const decided = { source: 'igdb', externalId: '1', state: 'queued-new', decidedBy: null } as const
  const applied = { source: 'ra', externalIds: ['1', '2'] } as const
  const royal = await untilConnected(openClient(service.baseUrl, '/royal', { cookie: one.cookie }))
  const strays = ['conflict:decided', 'conflicts:applied'].map((event) => collect(royal, event))

  service.deps.emit.conflicts.decided(decided)
  const entries = applied.externalIds.map((externalId) => ({ externalId, documentId: `sent ${externalId}`, rev: 1 }))
  // A later event leaves out the entries of an earlier one.
  for (const some of [entries, entries.slice(1)]) service.deps.emit.conflicts.applied('ra', some)
  for (const tab of tabs) {
    expect(await tab.seen()).toEqual([
      { event: 'conflict:decided', payload: decided },
      { event: 'conflicts:applied', payload: applied },
    ])
  }
  await ask(royal, 'royal:sync')
  expect(strays).toEqual([[], []])
})
