import { Server, type Socket } from 'socket.io'
import { expect, it } from 'vitest'
import { createMetrics } from '../../lib/infrastructure/observability/metrics.ts'
import { discussionRoom, userRoom } from '../../realtime/define-namespace.ts'
import { createEmitter } from '../../realtime/emitter.ts'
import { ask, openClient, untilConnected } from '../support/clients/clients.ts'
import { captureLog } from '../support/service/capture-log.ts'
import { useService } from '../support/service/start-service.ts'

const GAME = 'ab'.repeat(12)
const subject = { gameId: GAME, commentId: 'cd'.repeat(12) }
const parent = { parentId: 'ef'.repeat(12), parentRepliesCount: 2 }
const EVENTS = {
  created: { ...subject, ...parent },
  updated: { ...subject, body: '<p>é</p>', isSpoiler: true, updatedAt: '2026-01-02T03:04:05.678Z' },
  likes: { ...subject, likesCount: 9 },
} as const

const service = await useService()

async function openReader() {
  const socket = await untilConnected(openClient(service.baseUrl, '/comments'))
  const events: [string, unknown][] = []
  socket.onAny((event, payload) => events.push([event, payload]))
  const seen = async () => {
    await ask(socket, 'discussion:join', { gameId: GAME })
    return events.splice(0)
  }
  await seen()
  return { id: socket.id ?? '', seen }
}

async function countEvents(): Promise<Record<string, number>> {
  const { values } = await service.deps.metrics.eventsSent.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.event), value]))
}

it('an excluded sender that is no socket id is ignored', async () => {
  const reader = await openReader()
  const names = [discussionRoom(GAME), userRoom(GAME), GAME, '', ' ', `${reader.id} `, `x${reader.id}`, undefined]
  for (const except of names) service.deps.emit.comments.likes(EVENTS.likes, { except })

  expect(await reader.seen()).toHaveLength(names.length)
})

it('one event is counted for each change, for any number of readers; a repeated entry is not sent again', async () => {
  const before = await countEvents()
  await Promise.all([openReader(), openReader(), openReader()])
  service.deps.emit.comments.likes(EVENTS.likes)
  service.deps.emit.comments.created({ ...EVENTS.created, gameId: 'ff'.repeat(12), commentId: 'ff'.repeat(12) })
  service.deps.emit.royal.changed('aa'.repeat(12), { royalGames: [] })
  const entries = ['1', '2'].map((externalId) => ({ externalId, documentId: `counted ${externalId}`, rev: 1 }))
  for (const some of [entries, entries.slice(1)]) service.deps.emit.conflicts.applied('ra', some)

  const grown = Object.entries(await countEvents()).map(([event, count]) => [event, count - (before[event] ?? 0)])
  expect(Object.fromEntries(grown)).toMatchObject({
    'comment:likes': 1,
    'comment:created': 1,
    'royal:changed': 1,
    'conflicts:applied': 1,
  })
})

const about = (commentId: string) => ({ gameId: GAME, commentId: commentId.repeat(24) })

it('an older state is dropped, and each kind of event has its order', async () => {
  const reader = await openReader()
  const { comments } = service.deps.emit
  comments.likes({ ...about('1'), likesCount: 2 }, { rev: 2 })
  comments.likes({ ...about('1'), likesCount: 1 }, { rev: 1, isRemote: true })
  comments.likes({ ...about('1'), likesCount: 2 }, { rev: 2, isRemote: true })
  comments.updated({ ...EVENTS.updated, ...about('1') }, { rev: 1 })
  comments.likes({ ...about('2'), likesCount: 5 }, { rev: 1, isRemote: true })

  expect(await reader.seen()).toEqual([
    ['comment:likes', { ...about('1'), likesCount: 2 }],
    ['comment:updated', { ...EVENTS.updated, ...about('1') }],
    ['comment:likes', { ...about('2'), likesCount: 5 }],
  ])
})

it('a decision of a conflict is dropped after a later one, until its number begins again', async () => {
  const sent: string[] = []
  const { log } = captureLog()
  const emit = createEmitter({ log, metrics: createMetrics() })
  const server = new Server()
  emit.attach(server)
  // An event is sent only to a namespace with a socket.
  server.of('/conflicts').sockets.set('reader', {} as Socket)
  server.of('/conflicts').adapter.broadcast = ({ data }) => void sent.push(data[1].state)
  const conflict = { source: 'ra', externalId: '1', decidedBy: null } as const
  const documentId = '8'.repeat(24)
  emit.conflicts.decided({ ...conflict, state: 'waiting' }, { rev: 2, documentId })
  emit.conflicts.decided({ ...conflict, state: 'queued-new' }, { rev: 1, documentId })
  emit.forget(documentId)
  emit.conflicts.decided({ ...conflict, state: 'queued-match' }, { rev: 1, documentId })

  expect(sent).toEqual(['waiting', 'queued-match'])
})

it('a new reply is sent once, and carries the newest count', async () => {
  const reader = await openReader()
  const { comments } = service.deps.emit
  const parentId = '3'.repeat(24)
  comments.created({ ...about('4'), parentId, parentRepliesCount: 2 }, { threadRev: 2 })
  comments.created({ ...about('5'), parentId, parentRepliesCount: 1 }, { threadRev: 1, isRemote: true })
  comments.created({ ...about('4'), parentId, parentRepliesCount: 2 }, { threadRev: 2, isRemote: true })

  expect((await reader.seen()).map(([, payload]) => payload)).toEqual([
    { ...about('4'), parentId, parentRepliesCount: 2 },
    { ...about('5'), parentId, parentRepliesCount: 2 },
  ])
})

it('a text that is older than the last status is never sent', async () => {
  const reader = await openReader()
  const { comments } = service.deps.emit
  const status = { ...about('7'), parentId: null, parentRepliesCount: null, status: 'deleted' } as const
  comments.updated({ ...EVENTS.updated, ...about('7') }, { rev: 1 })
  comments.status(status, { rev: 3, isRemote: true })
  comments.updated({ ...EVENTS.updated, ...about('7') }, { rev: 2 })
  comments.updated({ ...EVENTS.updated, ...about('7') }, { rev: 2, isRemote: true })

  expect((await reader.seen()).map(([event]) => event)).toEqual(['comment:updated', 'comment:status'])
})

it('a status is sent after a newer text, which would otherwise stay in a removed row', async () => {
  const reader = await openReader()
  const { comments } = service.deps.emit
  const status = { ...about('9'), parentId: null, parentRepliesCount: null }
  comments.status({ ...status, status: 'hidden' }, { rev: 1 })
  comments.updated({ ...EVENTS.updated, ...about('9') }, { rev: 3 })
  comments.status({ ...status, status: 'visible' }, { rev: 2, isRemote: true })
  comments.status({ ...status, status: 'hidden' }, { rev: 1, isRemote: true })

  expect((await reader.seen()).map(([event]) => event)).toEqual(['comment:status', 'comment:updated', 'comment:status'])
})

it('a state after a change of another program is sent with the same version, and does not replace it', async () => {
  const reader = await openReader()
  const { comments } = service.deps.emit
  const send = (likesCount: number, rev: number, isUnnumbered = false) =>
    comments.likes({ ...about('a'), likesCount }, { rev, isUnnumbered })
  send(1, 1)
  send(3, 2, true)
  send(2, 2)
  send(3, 2, true)
  send(9, 1, true)

  expect((await reader.seen()).map(([, payload]) => payload)).toEqual(
    [1, 3, 2, 3].map((likesCount) => ({ ...about('a'), likesCount })),
  )
})

it('an event that cannot be sent is logged, and throws nothing', () => {
  const { log, lines } = captureLog()
  const emit = createEmitter({ log, metrics: createMetrics() })
  const server = new Server()
  emit.attach(server)
  void server.of('/comments').adapter.addAll('a reader', new Set([discussionRoom(GAME)]))
  // JSON knows no big integers, so encoding this fails.
  const unsendable = { ...EVENTS.likes, likesCount: 9n as unknown as number }

  expect(() => emit.comments.likes(unsendable)).not.toThrow()
  expect(lines).toEqual([expect.objectContaining({ event: 'comment:likes', msg: 'an event could not be sent' })])
})
