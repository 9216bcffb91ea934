import { randomUUID } from 'node:crypto'
import { ObjectId } from 'mongodb'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import type { TestUser } from '../support/clients/caller.ts'
import { insertRequest, insertUser } from '../support/rows/rows.ts'
import { startImageHost } from '../support/stand-ins/image-host.ts'
import { type Server, startServer } from './child.ts'
import { load, measureByTurns, postJson, rateOf } from './load.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const APPROVALS = 150
const IMAGES_EACH = 3
const ADMINS = 4
const SUBMITTERS = 50
/** The most requests that one user may have pending. */
const SUBMITS_EACH = 20
const CONNECTIONS = 10
const ROUNDS = 7

interface Scene {
  server: Server
  db: Database
  admin: { cookie: string }
  host: Awaited<ReturnType<typeof startImageHost>>
}

const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

async function benchApprovals({ server, db, admin, host }: Scene): Promise<void> {
  const links = each(IMAGES_EACH - 1, (index) => host.link(`png/${index}`))
  const ids: ObjectId[] = []
  for (const index of each(2 * APPROVALS, Number)) {
    const payload = { name: `Bench ${index}`, cover: host.link('jpeg/cover'), screenshots: links }
    ids.push((await insertRequest(db, { payload }))._id)
  }
  const body = JSON.stringify({ decision: 'approve', force: true })
  const approveSome = () =>
    load({
      server,
      requests: APPROVALS,
      connections: ADMINS,
      send: (pool) => postJson(pool, `/requests/${ids.pop()?.toHexString()}/decision`, { cookie: admin.cookie, body }),
    })
  await approveSome()
  const { perSecond, cpuMicros } = await approveSome()

  heading(
    `POST /requests/:id/decision, a new game with ${IMAGES_EACH} images into local files, ${ADMINS} admins at once`,
  )
  line('approvals', `${perSecond.toFixed(1)}/s, ${(cpuMicros / 1_000).toFixed(1)} ms CPU each`)
  line('images', `${(perSecond * IMAGES_EACH).toFixed(1)}/s`)
}

async function benchSubmits({ server, db }: Scene): Promise<void> {
  let users: TestUser[] = []
  const payload = { name: 'Lantern Keep', summary: 'A light in the dark. '.repeat(20), genres: ['Puzzle'] }
  const body = JSON.stringify({ kind: 'game', action: 'add', payload })
  const requests = SUBMITTERS * SUBMITS_EACH
  /** New users, since each may submit only so often in a minute. */
  const reset = async () => {
    await db.contentRequests.deleteMany({ userId: { $in: users.map(({ _id }) => _id) } })
    users = await Promise.all(
      each(SUBMITTERS, () => insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: `submitter-${randomUUID()}` })),
    )
  }

  const submit = async () => {
    await reset()
    return await load({
      server,
      requests,
      connections: CONNECTIONS,
      status: 201,
      send: (pool, number) => {
        const cookie = users[number % SUBMITTERS]?.cookie ?? ''
        return postJson(pool, '/requests', { cookie, body })
      },
    })
  }
  async function insertBare() {
    await reset()
    return await rateOf(requests, CONNECTIONS, (number) => {
      const userId = users[number % SUBMITTERS]?._id ?? new ObjectId()
      const facts = { targetId: null, sources: [], note: null, updatedAt: new Date() }
      return insertRequest(db, { payload, userId, slot: Math.floor(number / SUBMITTERS), ...facts })
    })
  }

  const medianOf = await measureByTurns<'ours' | 'bare', 'perSecond'>(
    { ours: submit, bare: insertBare },
    { rounds: ROUNDS },
  )
  const [ours, bare] = [medianOf('ours', 'perSecond'), medianOf('bare', 'perSecond')]
  await reset()
  heading(`POST /requests, ${CONNECTIONS} at once`)
  line('gamehall: session, free slot, insert', `${ours.toFixed(0)}/s`)
  line('the bare insert, straight to the database', `${bare.toFixed(0)}/s`)
  ratio('bare / ours', bare / ours, { atMost: 2.5 })
}

export async function benchRequests({ uri, dataDir }: { uri: string; dataDir: string }, db: Database): Promise<void> {
  const host = await startImageHost()
  const config = JSON.stringify({ DATA_DIR: dataDir, IMAGE_FETCH_ALLOW: host.place })
  const server = await startServer(uri, { env: { BENCH_CONFIG: config } })
  const admin = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-admin', isAdmin: true })
  const scene = { server, db, admin, host }
  await benchApprovals(scene)
  await benchSubmits(scene)
  await server.stop()
  await host.close()
}
