import type { Document } from 'mongodb'
import { expect, it } from 'vitest'
import { type PartName, SITE_COLLECTIONS } from '#lib/ops/import/import-run'
import { runImport } from '#lib/ops/import/run-import'
import { openClient, untilConnected, untilDisconnected } from '../../../support/clients/clients.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { useService } from '../../../support/service/start-service.ts'
import { untilCaughtUp } from '../../../support/service/until-caught-up.ts'
import { siteId } from '../../../support/site/generate-site.ts'

const service = await useService()
const { db: site } = await useBareDatabase()

const [gameId, thread, reply] = [siteId('game', 0), siteId('comment', 0), siteId('comment', 1)]
const path = `/games/${gameId}/comments`

it('an import sends no event to sockets, makes them reconnect at its end, and the service shows what was imported', async () => {
  const reader = await service.caller()
  const admin = await service.caller({ isAdmin: true })
  const userId = siteId('user', 0)
  const dates = { createdAt: new Date(), updatedAt: new Date() }
  await service.db.games.insertOne({ _id: gameId, name: 'Lantern Keep', slug: 'lantern-keep', ...dates })
  const comment = { gameId, userId, body: 'A thought', createdAt: '2022-01-01' }
  const stored: Record<string, Document[]> = {
    users: [{ _id: userId, userName: 'mover', email: 'mover@example.org' }],
    gamecomments: [
      { _id: thread, ...comment },
      { _id: reply, ...comment, parentId: thread },
    ],
    commentvotes: [{ _id: siteId('vote', 0), target: 'comment', targetId: thread, userId: reader.id }],
    conflicts: [
      { _id: siteId('conflict', 0), source: 'igdb', externalId: '5', externalName: 'Lantern Keep', status: 'pending' },
    ],
    notifications: [
      {
        _id: siteId('notice', 0),
        userId: reader.id,
        type: 'comment-moderated',
        payload: { status: 'hidden' },
        ...dates,
      },
    ],
  }
  for (const [name, documents] of Object.entries(stored)) await site.collection(name).insertMany(documents)
  expect((await reader.get(path)).body.total).toBe(0)

  const open = async () => {
    const sockets = [
      openClient(service.baseUrl, '/comments'),
      openClient(service.baseUrl, '/notifications', { cookie: reader.cookie }),
      openClient(service.baseUrl, '/conflicts', { cookie: admin.cookie }),
    ]
    const events: string[] = []
    for (const socket of sockets) socket.onAny((event) => events.push(event))
    await Promise.all(sockets.map(untilConnected))
    await sockets[0]?.emitWithAck('discussion:join', { gameId: gameId.toHexString() })
    return { sockets, events }
  }
  const importAll = () =>
    runImport({
      site,
      db: service.db,
      isWriting: true,
      areAdminsKept: false,
      // The keys of a constant object are known.
      included: new Set(Object.keys(SITE_COLLECTIONS) as PartName[]),
      report: () => {},
    })

  const before = await open()
  const disconnected = Promise.all(before.sockets.map(untilDisconnected))
  await importAll()
  await disconnected
  expect(before.events).toEqual([])
  const [shown] = (await reader.get(path)).body.results
  expect(shown).toMatchObject({ _id: thread.toHexString(), likesCount: 1, isLiked: true, repliesCount: 1 })

  const after = await open()
  await importAll()
  await untilCaughtUp(service.deps)
  expect(after.sockets.map(({ connected }) => connected)).toEqual([true, true, true])
  expect(after.events).toEqual([])
  await reader.delete(`/comments/${thread}/like`)
  await expect.poll(() => after.events).toEqual(['comment:likes'])
})
