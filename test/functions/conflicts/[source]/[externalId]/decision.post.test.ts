import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { profile } from '../../../../support/clients/profile.ts'
import { useConflicts } from '../../../../support/scenes/conflicts-scene.ts'

const { service, carol, dora, games, insert, post, refusal, stored, eventsOf } = await useConflicts()
const [one, other] = games
const decide = (caller: typeof carol, record: Parameters<typeof post>[1], body: unknown) =>
  post(caller, record, 'decision', body)
const match = { gameId: one.toHexString() }
const skip = { gameId: null }

beforeEach(() => service.db.conflicts.deleteMany({}))

it('200 with the summary of the source; the match is stored and sent to every admin, the decider too', async () => {
  const failure = { message: 'The source did not answer in time', at: new Date() }
  const record = await insert({ source: 'vndb', externalId: 'v17', failure, winnerEntryId: 'old' })
  const next = await insert({ source: 'vndb', externalId: 'v18' })
  await insert({ source: 'ra', externalId: '1' })
  const answer = await decide(dora, record, { gameId: one.toHexString().toUpperCase() })

  expect(answer).toMatchObject({
    status: 200,
    body: {
      pending: 1,
      applying: 1,
      firstExternalId: 'v18',
      firstSource: 'vndb',
      bySource: { vndb: 1, igdb: 0, hltb: 0, ra: 1 },
    },
  })
  const { updatedAt, sentBy: _sentBy, rev: _rev, ...decided } = (await stored(record)) ?? {}
  expect(decided).toEqual({
    ...record,
    updatedAt: undefined,
    decision: 'match',
    decisionId: expect.any(ObjectId),
    winner: one,
    winnerEntryId: null,
    decidedBy: { userId: new ObjectId(dora.id), userName: '$dora' },
    failure: null,
  })
  expect(updatedAt?.getTime()).toBeGreaterThanOrEqual(record.updatedAt.getTime())
  expect(await eventsOf(record)).toEqual([
    {
      event: 'conflict:decided',
      payload: { source: 'vndb', externalId: 'v17', state: 'queued-match', decidedBy: '$dora' },
    },
  ])
  expect(await stored(next)).toEqual(next)
  expect(await service.db.staffActions.find({ 'target.id': 'vndb/v17' }).toArray()).toMatchObject([
    {
      admin: { userId: new ObjectId(dora.id), userName: '$dora' },
      action: 'conflict-decided',
      target: { kind: 'conflict', id: 'vndb/v17', name: record.externalName },
      details: { gameId: one.toHexString() },
    },
  ])
})

it.each(['vndb', 'igdb', 'ra'] as const)('200 skipping a conflict of %s', async (source) => {
  const record = await insert({ source, externalId: `skipped-${source}` })
  expect((await decide(carol, record, skip)).body).toMatchObject({ pending: 0, applying: 1, firstExternalId: null })

  expect(await stored(record)).toMatchObject({ decision: 'skip', winner: null, winnerEntryId: null })
  const payload = { source, externalId: record.externalId, state: 'queued-new', decidedBy: 'carol' }
  expect(await eventsOf(record)).toEqual([{ event: 'conflict:decided', payload }])
})

it('200 for hltb with an entry, and with none', async () => {
  const entries = [{ id: '$42', name: 'Halcyon' }]
  const [matched, skipped] = [one, other].map((gameId) => ({
    source: 'hltb' as const,
    externalId: gameId.toHexString(),
  }))
  const first = await insert({ ...matched, entries })
  const second = await insert({ ...skipped, entries })

  expect(
    (await decide(carol, { ...first, externalId: first.externalId.toUpperCase() }, { entryId: '$42' })).status,
  ).toBe(200)
  expect((await decide(carol, second, { entryId: null })).status).toBe(200)
  expect(await stored(first)).toMatchObject({ decision: 'match', winner: null, winnerEntryId: '$42' })
  expect(await stored(second)).toMatchObject({ decision: 'skip', winner: null, winnerEntryId: null })
  expect(await eventsOf(first)).toMatchObject([{ payload: { externalId: one.toHexString(), state: 'queued-match' } }])
})

it('400 for the kind of choice that does not fit the source, also for an unknown conflict', async () => {
  const record = await insert()
  const hltb = { source: 'hltb', externalId: one.toHexString() } as const

  const commands = await profile(service.db, 'conflicts', async () => {
    for (const entryId of ['1', null]) {
      expect(refusal(await decide(carol, record, { entryId }))).toEqual([400, 'This conflict is decided with a gameId'])
    }
    expect(refusal(await decide(carol, hltb, match))).toEqual([400, 'This conflict is decided with an entryId'])
    expect(refusal(await decide(carol, hltb, skip))).toEqual([400, 'This conflict is decided with an entryId'])
  })
  expect(commands).toEqual([])
  expect(await stored(record)).toEqual(record)
})

it.each([
  [{}, 'Send a gameId or an entryId, or null as one of them to skip'],
  [{ gameId: null, entryId: null }, 'Send a gameId or an entryId, or null as one of them to skip'],
  [[], 'Send a gameId or an entryId, or null as one of them to skip'],
  [{ gameId: 'nonsense' }, 'Invalid id'],
  [{ entryId: 42 }, 'entryId must be a text'],
  [{ gameId: null, why: 'x' }, 'The body has an unknown field: why'],
])('400 for the body %j', async (body, message) => {
  const record = await insert()
  expect(refusal(await decide(carol, record, body))).toEqual([400, message])
  expect(await stored(record)).toEqual(record)
})

it('404 for an unknown conflict, 400 for no candidate, 409 naming who decided: in this order', async () => {
  const unknown = { source: 'igdb', externalId: 'unknown' } as const
  const stranger = { gameId: new ObjectId().toHexString() }
  expect(refusal(await decide(carol, unknown, stranger))).toEqual([404, 'Conflict not found'])

  const record = await insert({ externalId: '1234' })
  await insert({ source: 'ra', externalId: '1234' })
  expect(refusal(await decide(carol, record, stranger))).toEqual([400, 'This game is not a candidate of the conflict'])
  await decide(dora, record, match)
  expect(refusal(await decide(carol, record, stranger))).toEqual([400, 'This game is not a candidate of the conflict'])
  expect(refusal(await decide(carol, record, skip))).toEqual([409, '$dora has already decided 1234'])
  expect(refusal(await decide(dora, record, match))).toEqual([409, '$dora has already decided 1234'])

  const externalId = new ObjectId().toHexString()
  const hltb = await insert({ source: 'hltb', externalId, entries: [{ id: '1', name: 'E' }] })
  expect(refusal(await decide(carol, hltb, { entryId: '2' }))).toEqual([400, 'This entry is not one of the conflict'])
  expect(await eventsOf(hltb)).toEqual([])
})

it.each(['resolved', 'absent'] as const)(
  '409 for a conflict that is %s, with Someone where the record names no admin',
  async (status) => {
    const record = await insert({ externalId: status, status })
    const named = await insert({ status, decidedBy: { userId: new ObjectId(), userName: 'erin' } })

    expect(refusal(await decide(carol, record, match))).toEqual([409, `Someone has already decided ${status}`])
    expect(refusal(await decide(carol, named, skip))).toEqual([409, `erin has already decided ${named.externalId}`])
    expect(await stored(record)).toEqual(record)
    expect(await eventsOf(record)).toEqual([])
  },
)

it('200 for one of 30 decisions at once, 409 that names its admin for the others, and one event', async () => {
  for (let round = 0; round < 2; round++) {
    const record = await insert({ externalId: `hot-${round}` })
    await insert({ source: 'ra', externalId: record.externalId })
    const bodies = [match, { gameId: other.toHexString() }, skip]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => decide(index % 2 ? carol : dora, record, bodies[index % 3])),
    )

    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    const [winner = 0] = winners
    const name = winner % 2 ? 'carol' : '$dora'
    const losers = answers.filter((_, index) => index !== winner).map(refusal)
    expect(losers).toEqual(Array(29).fill([409, `${name} has already decided ${record.externalId}`]))

    const now = await stored(record)
    expect(now).toMatchObject({ decision: winner % 3 === 2 ? 'skip' : 'match', decidedBy: { userName: name } })
    expect(now?.winner?.toHexString() ?? null).toBe(bodies[winner % 3]?.gameId)
    const state = winner % 3 === 2 ? 'queued-new' : 'queued-match'
    expect(await eventsOf(record)).toEqual([
      {
        event: 'conflict:decided',
        payload: { source: 'igdb', externalId: record.externalId, state, decidedBy: name },
      },
    ])
  }
})

it('200: a decision reads one record, by its index', async () => {
  for (let index = 0; index < 50; index++) await insert()
  const record = await insert()
  const [write] = await profile(service.db, 'conflicts', () => decide(carol, record, match))
  expect(write?.planSummary).toMatch(/^IXSCAN/)
  expect(write?.docsExamined).toBe(1)
})
