import { ObjectId } from 'mongodb'
import { findSessionUser } from '../../lib/auth/session-user.ts'
import { createFreshSessionUsers, type StoredSessionUser } from '../../lib/auth/session-user-cache.ts'
import { createFamilyId, createTokenVerifier, issueAccessToken } from '../../lib/auth/tokens.ts'
import type { Database } from '../../lib/db/connect.ts'
import { createExactCache } from '../../lib/events/exact-cache.ts'
import { median } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'

const ROUNDS = 9
const CHECKS = 1_000
const jwtSecret = 'a secret of at least thirty-two characters'
const clock = () => new Date()

async function measure(check: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < CHECKS; count++) await check()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CHECKS
}

/** A session check against the one of the release before, which held a token against the user's existence alone. */
export async function benchSession(db: Database): Promise<void> {
  const _id = new ObjectId()
  const stamp = new ObjectId()
  const at = clock()
  const ended = Array.from({ length: 5 }, () => ({ familyId: createFamilyId(), at }))
  const names = { userName: 'bench session', email: 'session@bench.example' }
  const state = { passwordHash: '', passwordChange: { stamp, keptFamilyId: null }, endedFamilies: ended }
  await db.users.insertOne({ _id, ...names, ...state, roles: ['user'], createdAt: at, updatedAt: at })

  const verifyToken = createTokenVerifier(jwtSecret, clock)
  const facts = { userId: _id, familyId: createFamilyId(), passwordStamp: stamp }
  const token = await issueAccessToken({ jwtSecret, clock }, facts)
  const cookie = `accessSessionToken=${token}`
  const sessionUsers = createExactCache<{ user: StoredSessionUser | null }>({
    isLive: () => false,
    maxBytes: 1,
    sizeOf: () => 1,
  })
  const freshSessionUsers = createFreshSessionUsers()
  const contenders = [
    () => findSessionUser({ db, verifyToken, sessionUsers, freshSessionUsers }, cookie, { isFresh: true }),
    async () => {
      const claims = await verifyToken(token)
      return claims && (await db.users.findOne({ _id: claims.userId }, { projection: { userName: 1, roles: 1 } }))
    },
  ]
  const costs: [number[], number[]] = [[], []]
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, check] of contenders.entries()) {
      const cost = await measure(check)
      if (round >= 0) costs[index]?.push(cost)
    }
  }
  await db.users.deleteOne({ _id })
  const [now, before] = costs.map(median)

  heading('A session check: token, family and password stamp, one read of the user')
  line('gamehall', `${micros(now ?? 0)} CPU`)
  line('the release before', `${micros(before ?? 0)} CPU`)
  ratio('before / now', (before ?? 0) / (now ?? 1), { atLeast: 0.9 })
}
