import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { ObjectId } from 'mongodb'
import type { Socket } from 'socket.io-client'
import { expect, it } from 'vitest'
import { ask, openClient, untilConnected } from '../support/clients/clients.ts'
import { useDatabaseProxy } from '../support/processes/database-proxy.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'

const AT_ONCE = 50
const RUNS = 10

const proxy = await useDatabaseProxy()
const scene = await useTwins({ mongodbUri: proxy.target, timeoutMs: 60_000 }, { feedUri: proxy.uri, timeoutMs: 60_000 })
const { service, other, admin, reader } = scene
const game = String(await insertGame(service.db))
const theirs = String(await insertComment(service.db, { gameId: new ObjectId(game), userId: new ObjectId(reader.id) }))

const CHANGES = ['comment', 'reply', 'edit', 'like', 'preset', 'royal'] as const
const anyChange = fc.record({ kind: fc.constantFrom(...CHANGES), isOther: fc.boolean() })
const anySchedule = fc.record({
  isAdminAtOther: fc.boolean(),
  /** Changes from before the suspension, which fill the caches. */
  before: fc.array(anyChange, { maxLength: 3 }),
  during: fc.array(fc.record({ change: anyChange, atMs: fc.nat({ max: 4_500 }) }), { minLength: 2, maxLength: 4 }),
  /** Changes that begin with the answer. */
  after: fc.array(anyChange, { minLength: 2, maxLength: 4 }),
})
type Schedule = typeof anySchedule extends fc.Arbitrary<infer S> ? S : never
type Change = Schedule['after'][number]

async function openUser() {
  const caller = await service.caller()
  const sides = [
    { caller, service },
    { caller: scene.atOther(caller), service: other },
  ].map(async ({ caller, service: { baseUrl } }) => ({
    caller,
    royal: await untilConnected(openClient(baseUrl, '/royal', { cookie: caller.cookie })),
  }))
  const [here, there] = await Promise.all(sides)
  const commentId = await insertComment(service.db, { gameId: new ObjectId(game), userId: new ObjectId(caller.id) })
  return { id: caller.id, commentId, sides: { here, there } }
}
type User = Awaited<ReturnType<typeof openUser>>

/** Makes a change. Returns true when it is accepted. */
async function change({ id, commentId, sides }: User, { kind, isOther }: Change, n: number): Promise<boolean> {
  const side = isOther ? sides.there : sides.here
  if (side === undefined) throw new Error('no such side')
  const { caller, royal }: { caller: typeof reader; royal: Socket } = side
  if (kind === 'royal') return (await ask(royal, 'royal:add', { gameIds: [game] })).ok
  const body = `Text ${n}`
  const answers = {
    comment: () => caller.post('/comments', { body: { gameId: game, body } }),
    reply: () => caller.post('/comments', { body: { gameId: game, parentId: theirs, body } }),
    edit: () => caller.patch(`/comments/${commentId}`, { body: { body } }),
    like: () => caller.put(`/comments/${theirs}/like`),
    preset: () => caller.put(`/user/presets/${id}`, { body: { name: 'p', preset: body } }),
  }
  const { status, body: answer } = await answers[kind]()
  if (status === 403) expect(answer.message).toBe('You are suspended for good: spam')
  return status < 300
}

/** Runs a schedule, and lists its changes that were accepted although they began after the answer. */
async function run(user: User, { isAdminAtOther, during, after }: Schedule): Promise<Change[]> {
  const late: Change[] = []
  let answeredAt = Number.POSITIVE_INFINITY
  const attempt = async (planned: Change, n: number) => {
    const begunAt = performance.now()
    if ((await change(user, planned, n)) && begunAt > answeredAt) late.push(planned)
  }
  const suspended = (isAdminAtOther ? scene.atOther(admin) : admin)
    .put(`/users/${user.id}/suspension`, { body: { until: null, reason: 'spam' } })
    .then(async ({ status }) => {
      answeredAt = performance.now()
      expect(status).toBe(200)
      await Promise.all(after.map((planned, n) => attempt(planned, 100 + n)))
    })
  await Promise.all([
    suspended,
    ...during.map(async ({ change, atMs }, n) => {
      await sleep(atMs)
      await attempt(change, 200 + n)
    }),
  ])
  for (const side of Object.values(user.sides)) side?.royal.disconnect()
  return late
}

it(`a suspension refuses each change that begins after the answer, over ${AT_ONCE * RUNS} schedules at two instances`, async () => {
  const schedules = fc.array(anySchedule, { minLength: AT_ONCE, maxLength: AT_ONCE, size: 'max' })
  const property = fc.asyncProperty(schedules, fc.nat({ max: 6_000 }), async (all, lateMs) => {
    const runs = await Promise.all(all.map(async (schedule) => ({ schedule, user: await openUser() })))
    await Promise.all(runs.flatMap(({ user, schedule }) => schedule.before.map((planned) => change(user, planned, 0))))
    await scene.caughtUp()
    // The change stream of the other instance now arrives late, and its caches are behind.
    proxy.delayAnswers(lateMs)
    const late = await Promise.all(runs.map(({ user, schedule }) => run(user, schedule)))
    proxy.delayAnswers(0)
    proxy.drop()
    expect(late.flat()).toEqual([])
  })
  await fc.assert(property, { seed: 1, numRuns: RUNS, endOnFailure: true })
})
