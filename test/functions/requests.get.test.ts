import { ObjectId } from 'mongodb'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertGame, insertRequest, insertRows, newRequest } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
const KINDS = ['game', 'character'] as const
const MINUTE = 60_000

const service = await useService()
const admin = await service.caller({ isAdmin: true })

const list = async (query = '') => (await admin.get(`/requests${query}`)).body
const listNotes = ({ results }: { results: { note: string }[] }) => results.map(({ note }) => note)

/** Two of each status and kind, named by their age: `pending-game-1` is older than `pending-game-2`. */
async function insertAll(): Promise<{ note: string; at: number }[]> {
  const rows = STATUSES.flatMap((status) => KINDS.flatMap((kind) => [1, 2].map((age) => ({ status, kind, age }))))
  const facts = rows.map(({ status, kind, age }, index) => {
    return { status, kind, note: `${status}-${kind}-${age}`, at: age * 100 + ((index * 7) % 16) }
  })
  const requests = facts.map(({ at, ...fields }) => newRequest({ ...fields, createdAt: new Date(at) }))
  await insertRows(service.db.contentRequests, requests)
  return facts
}

describe('GET /requests', () => {
  beforeEach(() => service.db.contentRequests.deleteMany({}))

  it('200: pending oldest first, other statuses and all together newest first, of both kinds or one', async () => {
    const facts = await insertAll()
    const expected = (isWanted: (note: string) => boolean, direction: 1 | -1) =>
      facts
        .filter(({ note }) => isWanted(note))
        .sort((a, b) => direction * (a.at - b.at))
        .map(({ note }) => note)

    for (const status of STATUSES) {
      const direction = status === 'pending' ? 1 : -1
      const both = await list(`?status=${status}`)
      expect([listNotes(both), both.total]).toEqual([expected((note) => note.startsWith(status), direction), 4])
      for (const kind of KINDS) {
        const one = await list(`?status=${status}&kind=${kind}`)
        expect([listNotes(one), one.total]).toEqual([
          expected((note) => note.startsWith(`${status}-${kind}`), direction),
          2,
        ])
      }
    }
    for (const kind of KINDS) {
      const one = await list(`?kind=${kind}`)
      expect([listNotes(one), one.total]).toEqual([expected((note) => note.includes(`-${kind}-`), -1), 8])
    }
    const all = await list()
    expect([listNotes(all), all.total]).toEqual([expected(() => true, -1), 16])
    for (const take of [3, 5]) {
      const pages = []
      for (let page = 1; page <= Math.ceil(16 / take); page++)
        pages.push(listNotes(await list(`?take=${take}&page=${page}`)))
      expect(pages.flat()).toEqual(listNotes(all))
    }
  })

  it('200 in the requested order, from the index', async () => {
    const facts = await insertAll()
    const oldestFirst = facts.sort((a, b) => a.at - b.at).map(({ note }) => note)
    expect(listNotes(await list('?order=oldest'))).toEqual(oldestFirst)
    expect(listNotes(await list('?order=newest'))).toEqual(oldestFirst.toReversed())
    const pending = oldestFirst.filter((note) => note.startsWith('pending'))
    expect(listNotes(await list('?status=pending&order=newest'))).toEqual(pending.toReversed())
    const rejected = oldestFirst.filter((note) => note.startsWith('rejected'))
    const commands = await profile(service.db, 'contentRequests', async () => {
      expect(listNotes(await list('?status=rejected&order=oldest'))).toEqual(rejected)
    })
    expectIndexed(commands)
  })

  it('200: requests of one instant keep one order over all pages', async () => {
    const createdAt = new Date()
    for (let index = 0; index < 8; index++) {
      await insertRequest(service.db, { createdAt, note: String(index), kind: KINDS[index % 2] ?? 'game' })
    }
    for (const query of ['', '&status=pending']) {
      const seen = []
      for (let page = 1; page <= 8; page++) seen.push(...listNotes(await list(`?take=1&page=${page}${query}`)))
      expect(new Set(seen).size).toBe(8)
    }
  })

  it('200: a row has exactly its fields, and its live claim', async () => {
    const author = await service.caller()
    const gameId = await insertGame(service.db, { name: 'Halcyon', slug: 'halcyon' })
    const claimedBy = new ObjectId(admin.id)
    const claimedAt = new Date(Date.now() - 14 * MINUTE)
    const { _id } = await insertRequest(service.db, {
      userId: new ObjectId(author.id),
      action: 'update',
      targetId: gameId,
      payload: { summary: 'Short.', platformIds: [gameId.toHexString()] },
      sources: ['https://example.com'],
      note: 'See the box',
      claimedAt,
      claimedBy,
      pendingUploads: [`covers/${gameId.toHexString()}/${gameId.toHexString()}`],
      slot: 3,
    })

    expect((await list()).results).toEqual([
      {
        _id: _id.toHexString(),
        kind: 'game',
        action: 'update',
        status: 'pending',
        targetId: gameId.toHexString(),
        targetName: 'Halcyon',
        targetSlug: 'halcyon',
        payload: { summary: 'Short.', platformIds: [gameId.toHexString()] },
        sources: ['https://example.com'],
        note: 'See the box',
        reason: null,
        appliedFields: [],
        failedFields: [],
        userId: author.id,
        userName: author.user?.userName,
        resultId: null,
        resultSlug: null,
        createdAt: expect.stringMatching(/Z$/),
        decidedAt: null,
        decidedBy: null,
        claimedAt: claimedAt.toISOString(),
        claimedBy: admin.id,
        lastFailure: null,
      },
    ])
  })

  it('200 without a past claim, and without that of a decided request', async () => {
    const claimedBy = new ObjectId()
    await insertRequest(service.db, { claimedBy, claimedAt: new Date(Date.now() - 15 * MINUTE - 1_000) })
    await insertRequest(service.db, { claimedBy, claimedAt: new Date(), status: 'approved' })
    await insertRequest(service.db, { claimedBy: null, claimedAt: null })
    for (const row of (await list()).results) expect(row).toMatchObject({ claimedAt: null, claimedBy: null })
  })

  it('200 for a document with the required fields only; users and entries that are gone have no name', async () => {
    const gone = new ObjectId()
    const none = { targetId: null, note: null, reason: null, claimedAt: null, claimedBy: null, resultId: null }
    await insertRequest(service.db, { createdAt: new Date(1) })
    await insertRequest(service.db, { ...none, decidedAt: null, decidedBy: null, createdAt: new Date(2) })
    await insertRequest(service.db, {
      action: 'update',
      targetId: gone,
      resultId: gone,
      status: 'approved',
      decidedAt: new Date(5),
      decidedBy: gone,
      createdAt: new Date(3),
    })
    const nameless = { targetName: null, targetSlug: null, resultSlug: null, userName: null }
    const { results } = await list()

    expect(results).toMatchObject([
      {
        ...nameless,
        targetId: gone.toHexString(),
        resultId: gone.toHexString(),
        decidedAt: '1970-01-01T00:00:00.005Z',
        decidedBy: gone.toHexString(),
      },
      { ...nameless, ...none, decidedAt: null, decidedBy: null, sources: [], appliedFields: [] },
      { ...nameless, ...none, decidedAt: null, decidedBy: null, sources: [], appliedFields: [] },
    ])
  })
})

describe('with 800 requests', () => {
  const profileCommands = (query: string) => profile(service.db, 'contentRequests', () => list(query))
  beforeAll(async () => {
    await service.db.contentRequests.deleteMany({})
    const rows = Array.from({ length: 800 }, (_, index) =>
      newRequest({
        kind: KINDS[index % 2] ?? 'game',
        status: STATUSES[Math.floor(index / 2) % 4] ?? 'pending',
        createdAt: new Date(1_700_000_000_000 + ((index * 7_919) % 800)),
      }),
    )
    await insertRows(service.db.contentRequests, rows)
  })

  it.each([
    { query: '', total: 800, skipped: 0 },
    { query: '?page=40', total: 800, skipped: 780 },
    { query: '?kind=game', total: 400, skipped: 0 },
    { query: '?status=pending', total: 200, skipped: 0 },
    { query: '?status=pending&page=10', total: 200, skipped: 180 },
    { query: '?status=rejected', total: 200, skipped: 0 },
    { query: '?status=pending&kind=game', total: 100, skipped: 0 },
    { query: '?status=approved&kind=character&page=5', total: 100, skipped: 80 },
  ])(
    '200: $query reads the documents of its page, the keys before them and the counted keys',
    async ({ query, ...facts }) => {
      const commands = await profileCommands(query)
      const sum = (key: 'docsExamined' | 'keysExamined') => commands.reduce((all, command) => all + command[key], 0)

      expectIndexed(commands)
      expect(sum('docsExamined')).toBe(20)
      expect(sum('keysExamined')).toBeLessThanOrEqual(facts.total + facts.skipped + 100)
    },
  )
})
