import { Server } from 'socket.io'
import { expect, test } from 'vitest'
import type { Change } from '#lib/infrastructure/events/change'
import type { Emitter } from '#lib/infrastructure/events/emitter'
import { toEvents } from '#lib/infrastructure/events/to-events'
import { createMetrics } from '#lib/infrastructure/observability/metrics'
import { discussionRoom } from '../../../../realtime/define-namespace.ts'
import { createEmitter } from '../../../../realtime/emitter.ts'
import { captureLog } from '../../../support/service/capture-log.ts'
import { runSchedules } from '../../../support/tools/random.ts'

const SCHEDULES = 1_000
const WRITES = 12
const gameId = 'ab'.repeat(12)
const parent = { parentId: null, parentRepliesCount: null }

interface Write {
  rev: number
  isLocal: boolean
  isAnswerLost: boolean
  change: Pick<Change, 'collection' | 'type' | 'fields' | 'values'>
  body: string
}

function openEmitter() {
  const { log } = captureLog()
  const emit = createEmitter({ log, metrics: createMetrics() })
  const server = new Server()
  emit.attach(server)
  const { adapter } = server.of('/comments')
  void adapter.addAll('reader', new Set([discussionRoom(gameId)]))
  const sent: [event: string, payload: Record<string, unknown>][] = []
  adapter.broadcast = ({ data }) => void sent.push([data[0], data[1]])
  return { emit, sent }
}

/** Writes of one comment in the order of the database: likes, texts and statuses, some by this instance. */
function makeWrites(random: () => number): Write[] {
  let status: 'visible' | 'hidden' = 'visible'
  let likesCount = 0
  return Array.from({ length: WRITES }, (_, index) => {
    const rev = index + 1
    const isLocal = random() < 0.6
    const dice = random()
    const values: Change['values'] = { rev }
    let fields = ['body']
    if (dice < 0.4) {
      likesCount += 1
      values.likesCount = likesCount
      fields = ['likesCount', 'likedBy']
    } else if (dice < 0.7 || status === 'hidden') {
      status = status === 'visible' ? 'hidden' : 'visible'
      values.status = status
      fields = ['status']
    }
    const change = { collection: 'comments', type: 'update', fields: [...fields, 'rev', 'sentBy'], values }
    return { rev, isLocal, isAnswerLost: isLocal && random() < 0.4, change, body: `text ${rev}` }
  })
}

function send({ comments }: Emitter, commentId: string, { change, rev, body }: Write): void {
  const { likesCount = 0, status } = change.values
  const subject = { gameId, commentId }
  for (const event of toEvents(change)) {
    if (event === 'comment:likes') comments.likes({ ...subject, likesCount }, { rev })
    if (event === 'comment:status' && (status === 'visible' || status === 'hidden'))
      comments.status({ ...subject, ...parent, status }, { rev })
    if (event === 'comment:updated')
      comments.updated({ ...subject, body, isSpoiler: false, updatedAt: '2026-01-01T00:00:00.000Z' }, { rev })
  }
}

/**
 * The order in which this instance sends: endpoints and the stream, each in the order of the writes. The stream delivers local
 * writes from the first lost answer on, also those with an answer.
 */
function interleave(writes: readonly Write[], random: () => number): Write[] {
  const firstLost = writes.find(({ isAnswerLost }) => isAnswerLost)?.rev ?? Number.POSITIVE_INFINITY
  const answered = writes.filter(({ isLocal, isAnswerLost }) => isLocal && !isAnswerLost)
  const streamed = writes.filter(({ isLocal, rev }) => !isLocal || rev >= firstLost)
  const order: Write[] = []
  while (answered.length > 0 || streamed.length > 0) {
    const from = streamed.length === 0 || (answered.length > 0 && random() < 0.5) ? answered : streamed
    order.push(...from.splice(0, 1))
  }
  return order
}

test('after lost answers no event is missing or sent twice, and the last event of each kind has the final state', () => {
  const { emit, sent } = openEmitter()
  let schedules = 0
  return runSchedules({ count: SCHEDULES, choices: 60 }, async (random) => {
    schedules += 1
    const writes = makeWrites(random)
    sent.length = 0
    for (const write of interleave(writes, random)) send(emit, schedules.toString(16).padStart(24, '0'), write)

    const last = (event: string) => sent.findLast(([name]) => name === event)?.[1]
    const lastOf = (field: 'likesCount' | 'status') =>
      writes.findLast(({ change }) => change.values[field] !== undefined)?.change.values[field]
    expect(last('comment:likes')?.likesCount).toBe(lastOf('likesCount'))
    expect(last('comment:status')?.status).toBe(lastOf('status'))
    const isVisible = (lastOf('status') ?? 'visible') === 'visible'
    const edited = writes.findLast(({ change }) => change.fields?.includes('body'))
    const statusRev = writes.findLast(({ change }) => change.values.status !== undefined)?.rev ?? 0
    if (isVisible && edited && edited.rev > statusRev) expect(last('comment:updated')?.body).toBe(edited.body)
    const texts = sent.map((each) => JSON.stringify(each)).filter((text) => text.includes('"comment:likes"'))
    expect(new Set(texts).size).toBe(texts.length)
  })
})
