import { ObjectId } from 'mongodb'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { expectIndexed, profile } from '../../support/clients/profile.ts'
import { insertConflict, insertGame, insertRows, newConflict } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const SOURCES = ['vndb', 'igdb', 'hltb', 'ra'] as const

const service = await useService()
const admin = await service.caller({ isAdmin: true })

const insert = (facts: Partial<ConflictDocument>) => insertConflict(service.db, facts)
const list = async (query = '') => (await admin.get(`/conflicts/list${query}`)).body
const idsOf = ({ results }: { results: { externalId: string }[] }) => results.map(({ externalId }) => externalId)

/** Two of each state, in another order than that of the list. */
async function insertAll() {
  const facts = {
    'closed-2': { status: 'resolved', decision: 'match', createdAt: new Date(20) },
    'closed-1': { status: 'absent', decision: 'skip', createdAt: new Date(10) },
    'queued-2': { decision: 'match', createdAt: new Date(40) },
    'queued-1': { decision: 'skip', createdAt: new Date(30) },
    'waiting-2': { decision: null, createdAt: new Date(60) },
    'waiting-1': { createdAt: new Date(50) },
  } as const
  const sources = ['ra', 'vndb', 'igdb', 'igdb', 'vndb', 'hltb'] as const
  for (const [index, [externalId, each]] of Object.entries(facts).entries()) {
    await insert({ externalId, source: sources[index] ?? 'ra', ...each })
  }
}
const IN_ORDER = ['waiting-1', 'waiting-2', 'queued-1', 'queued-2', 'closed-1', 'closed-2']

describe('GET /conflicts/list', () => {
  beforeEach(() => service.db.conflicts.deleteMany({}))

  it('200 with waiting ones, then queued ones, then the rest, oldest first within each', async () => {
    await insertAll()
    const all = await list()

    expect(all.total).toBe(6)
    expect(idsOf(all)).toEqual(IN_ORDER)
    expect(all.results.map(({ state }: { state: string }) => state)).toEqual([
      'waiting',
      'waiting',
      'queued-new',
      'queued-match',
      'new-game',
      'matched',
    ])
  })

  it('200 with the decisions of the matcher, or with all else', async () => {
    await insertAll()
    const now = Date.now()
    const automatic = { isAutomatic: true, decidedBy: null } as const
    const matched = { status: 'resolved', decision: 'match', ...automatic } as const
    await insert({ source: 'igdb', externalId: 'auto-old', ...matched, decidedAt: new Date(now - 8 * 86_400_000) })
    await insert({ source: 'igdb', externalId: 'auto', ...matched, decidedAt: new Date(now) })
    await insert({ source: 'ra', externalId: 'auto-queued', decision: 'skip', ...automatic, decidedAt: new Date(now) })
    await insert({ source: 'ra', externalId: 'sent-back', isAutomatic: false })

    const answer = await list('?automatic=true')
    expect(idsOf(answer)).toEqual(['auto-queued', 'auto-old', 'auto'])
    expect([answer.total, answer.results[0].isAutomatic]).toEqual([3, true])
    expect(idsOf(await list('?automatic=true&state=matched&days=7'))).toEqual(['auto'])
    expect(idsOf(await list('?automatic=true&state=waiting'))).toEqual([])
    const others = await list('?automatic=false')
    expect(idsOf(others).toSorted()).toEqual([...IN_ORDER, 'sent-back'].toSorted())
    expect(others.total).toBe(7)
  })

  it('200: every page size keeps one order, across the states', async () => {
    await insertAll()
    for (const take of [1, 2, 3, 4, 5]) {
      const pages = []
      for (let page = 1; page <= Math.ceil(6 / take) + 1; page++) {
        const answer = await list(`?take=${take}&page=${page}`)
        expect(answer.total).toBe(6)
        pages.push(idsOf(answer))
      }
      expect(pages.flat()).toEqual(IN_ORDER)
      expect(pages.at(-1)).toEqual([])
    }
  })

  it('200 filters by source, by state and by both', async () => {
    await insertAll()
    expect(await list('?source=igdb')).toMatchObject({
      total: 2,
      results: [
        { externalId: 'queued-1', state: 'queued-new' },
        { externalId: 'queued-2', state: 'queued-match' },
      ],
    })
    const states = { waiting: 2, 'queued-match': 1, 'queued-new': 1, matched: 1, 'new-game': 1 }
    for (const [state, total] of Object.entries(states)) {
      const answer = await list(`?state=${state}`)
      expect(answer.total, state).toBe(total)
      expect(answer.results.map((row: { state: string }) => row.state)).toEqual(Array(total).fill(state))
    }
    expect(idsOf(await list('?state=waiting&source=hltb'))).toEqual(['waiting-1'])
    expect(await list('?state=matched&source=hltb')).toEqual({ results: [], total: 0 })
  })

  it('200: a row has exactly its fields, and current names of games that exist', async () => {
    const gameId = await insertGame(service.db, { name: 'Halcyon', slug: 'halcyon' })
    const candidate = { gameId, slug: 'old', name: 'Old name', score: 50, breakdown: { title: 1 }, isManual: true }
    const gone = { gameId: new ObjectId(), slug: 'gone', name: 'Gone', score: 40 }
    await insert({
      externalId: '77',
      externalName: 'Halcyon II',
      reason: 'weak-title',
      candidates: [candidate, gone],
      externalData: { name: 'Halcyon II' },
      createdAt: new Date(1),
    })
    const entry = { id: '42', name: 'Halcyon', score: 1, details: ['Any'] }
    await insert({ source: 'hltb', externalId: gameId.toHexString(), entries: [entry], createdAt: new Date(2) })

    expect((await list()).results).toEqual([
      {
        source: 'igdb',
        direction: 'games',
        externalId: '77',
        externalName: 'Halcyon II',
        reason: 'weak-title',
        state: 'waiting',
        isAutomatic: false,
        candidates: [
          { gameId: gameId.toHexString(), name: 'Halcyon', slug: 'halcyon', score: 50 },
          { ...gone, gameId: gone.gameId.toHexString() },
        ],
        entries: [],
        winners: [],
      },
      {
        source: 'hltb',
        direction: 'entries',
        externalId: gameId.toHexString(),
        externalName: 'Lantern Keep',
        reason: null,
        state: 'waiting',
        isAutomatic: false,
        candidates: [],
        entries: [{ id: '42', name: 'Halcyon' }],
        winners: [],
      },
    ])
  })

  it('200: the winner is the game of the decision, unless it is gone', async () => {
    const [one, other] = [
      await insertGame(service.db, { name: 'One' }),
      await insertGame(service.db, { name: 'Other' }),
    ]
    const hltb = { source: 'hltb', externalId: other.toHexString(), decision: 'match', winnerEntryId: '42' } as const
    await insert({ externalId: 'queued', decision: 'match', winner: one, createdAt: new Date(1) })
    await insert({ ...hltb, createdAt: new Date(2) })
    await insert({ externalId: 'skipped', decision: 'skip', winner: null, createdAt: new Date(3) })
    await insert({
      externalId: 'matched',
      status: 'resolved',
      decision: 'match',
      winner: other,
      createdAt: new Date(4),
    })
    await insert({ externalId: 'created', status: 'absent', decision: 'skip', winner: one, createdAt: new Date(5) })
    await insert({ externalId: 'gone', status: 'resolved', winner: new ObjectId(), createdAt: new Date(6) })
    await insert({ externalId: 'unlinked', source: 'ra', status: 'absent', createdAt: new Date(7) })

    const { results } = await list()
    const names = results.map(({ winners }: { winners: { name: string }[] }) => winners.map(({ name }) => name))
    expect(names).toEqual([['One'], ['Other'], [], ['Other'], ['One'], [], []])
    expect(results[0].winners).toEqual([{ _id: one.toHexString(), name: 'One', slug: expect.any(String) }])
  })

  it('200: a search finds literal text in any case in titles, candidates and entries', async () => {
    const candidates = [{ gameId: new ObjectId(), slug: 's', name: 'Été (1999) [beta]*', score: 1 }]
    await insert({ externalId: 'title', externalName: 'C++ & the .* of $Gold\\', createdAt: new Date(1) })
    await insert({ externalId: 'candidate', candidates, decision: 'match', createdAt: new Date(2) })
    await insert({ externalId: 'entry', source: 'hltb', entries: [{ id: '1', name: 'Zelda-like' }] })
    const search = async (text: string, more = '') => {
      const answer = await list(`?search=${encodeURIComponent(text)}${more}`)
      expect(answer.total).toBe(answer.results.length)
      return idsOf(answer)
    }

    expect(await search('c++')).toEqual(['title'])
    expect(await search('.* OF $g')).toEqual(['title'])
    expect(await search('gold\\')).toEqual(['title'])
    expect(await search('ÉTÉ (1999) [BETA]*')).toEqual(['candidate'])
    expect(await search(' zelda-LIKE ')).toEqual(['entry'])
    expect(await search('.*')).toEqual(['title'])
    expect(await search('a.*b')).toEqual([])
    expect(await search('\0')).toEqual([])
    expect(await search('e', '&state=waiting&source=hltb')).toEqual(['entry'])
    expect(await search('e', '&state=matched')).toEqual([])
    expect(await search('')).toEqual(['title', 'entry', 'candidate'])
    expect((await list('?search=e&take=1&page=3')).total).toBe(3)
  })
})

describe('with 2,400 conflicts', () => {
  const states = [{ decision: null }, {}, { decision: 'match' }, { status: 'resolved' }, { status: 'absent' }] as const
  const commandsOf = (query: string) => profile(service.db, 'conflicts', () => list(query))
  beforeAll(async () => {
    await service.db.conflicts.deleteMany({})
    const rows = Array.from({ length: 2_400 }, (_, index) =>
      newConflict({
        externalName: `Entry ${index}`,
        source: SOURCES[index % 4] ?? 'ra',
        createdAt: new Date(1_700_000_000_000 + ((index * 7_919) % 2_400)),
        ...states[index % 5],
      }),
    )
    await insertRows(service.db.conflicts, rows)
  })

  it.each([
    '',
    '?source=igdb',
    '?state=waiting',
    '?state=waiting&source=ra',
    '?state=queued-match',
    '?state=matched',
    '?state=new-game&source=vndb',
    '?automatic=true&state=matched&days=7&take=1',
    '?automatic=true',
    '?automatic=false&state=matched',
    '?page=48',
    '?page=73',
    '?search=no%20such%20text',
    '?search=entry%2011&source=igdb',
  ])('200: %s is answered from an index, in its order, without a sort in memory', async (query) => {
    expectIndexed(await commandsOf(query))
  })

  it('200: a page reads its documents, the keys before them and the counted keys', async () => {
    for (const [page, keysBefore] of [
      [1, 0],
      [48, 940],
    ] as const) {
      const commands = await commandsOf(`?page=${page}`)
      const docs = commands.reduce((sum, { docsExamined }) => sum + docsExamined, 0)
      expect(docs, `page ${page}`).toBe(20)
      const keys = commands.reduce((sum, { keysExamined }) => sum + keysExamined, 0)
      expect(keys).toBeLessThanOrEqual(2_400 + keysBefore + 200)
    }
  })

  it('200: the first page of one source and state reads no other keys', async () => {
    for (const query of ['?state=queued-match&source=igdb', '?state=matched&source=igdb']) {
      const commands = await commandsOf(query)
      expect(commands.reduce((sum, { keysExamined }) => sum + keysExamined, 0)).toBeLessThanOrEqual(120 + 100)
    }
  })
})
