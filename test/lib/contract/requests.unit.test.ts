import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CharacterPayload, GamePayload } from '#lib/contract/proposals/payload'
import { CreateRequestBody, RequestDecisionBody } from '#lib/contract/requests'

const ID = 'abcdefabcdefabcdefabcdef'
const LINK = 'https://example.com/a.png'
const x = (length: number) => 'x'.repeat(length)
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const linkOf = (length: number) => `https://example.com/${x(length - 20)}`
const RELATIONS = [
  'dlcs',
  'expansions',
  'standalone_expansions',
  'bundles',
  'expanded_games',
  'forks',
  'ports',
  'remakes',
  'remasters',
  'similar_games',
  'sequels',
  'prequels',
  'side_stories',
  'parent_stories',
  'same_series',
  'same_setting',
  'shared_characters',
  'alternative_versions',
]

const readableArray = (count: number, length: number) => [
  [times(count, x(length))],
  [times(count + 1, 'x'), [x(length + 1)], [''], [' '], [null], 'x', null],
]
const textOf = (length: number) => [
  ['x', x(length)],
  [x(length + 1), '', ' \n', 1, null, ['x'], {}],
]
const idsOf = (count: number) => [[times(count, ID)], [times(count + 1, ID), ['x'], [ID.slice(1)], [`${ID}a`], [1], ID]]
const linksOf = (count: number) => [[times(count, LINK)], [times(count + 1, LINK), ['ftp://example.com'], LINK]]

/** Rows that are taken, the first of them `count` times and no more, and rows that are refused. */
const rowsOf = (count: number, taken: unknown[], refused: unknown[]) => [
  [times(count, taken[0]), ...taken.map((row) => [row])],
  [times(count + 1, taken[0]), ...refused.map((row) => [row])],
]
const withRating = (facts: object) => ({ ...RATING, ...facts })

const DATE = { date: 0, platformId: ID }
const FLAGS = ['campaignCoop', 'dropIn', 'lanCoop', 'offlineCoop', 'onlineCoop', 'splitscreen', 'splitscreenOnline']
const COUNTS = ['offlineCoopMax', 'offlineMax', 'onlineCoopMax', 'onlineMax']
const RATING = { organization: 'PEGI', rating: '12' }

const GAME: Record<string, unknown[][]> = {
  name: textOf(200),
  alternative_names: readableArray(20, 200),
  versionTitle: textOf(200),
  type: textOf(60),
  status: textOf(60),
  first_release: [
    [0, -1, 794_880_000, 253_402_300_799],
    [1.5, 1_700_000_000_000, -2_208_988_801, '0', null],
  ],
  summary: textOf(5_000),
  storyline: textOf(5_000),
  release_dates: [
    [times(60, DATE), [{ ...DATE, region: 1 }], [{ ...DATE, region: 20 }]],
    [
      times(61, DATE),
      ...[0, 21, 1.5, '8', null].map((region) => [{ ...DATE, region }]),
      ...[{ date: 0 }, { platformId: ID }, { ...DATE, human: 'x' }, { ...DATE, date: 1_700_000_000_000 }].map(
        (each) => [each],
      ),
    ],
  ],
  platformIds: idsOf(60),
  genres: readableArray(20, 80),
  modes: readableArray(10, 80),
  themes: readableArray(20, 80),
  keywords: readableArray(100, 80),
  franchises: readableArray(10, 120),
  game_engines: readableArray(10, 120),
  player_perspectives: readableArray(10, 80),
  languages: readableArray(60, 80),
  companies: rowsOf(
    30,
    [{ name: x(120) }, { name: 'x', developer: true, publisher: false, porting: true, supporting: true }],
    [{ name: x(121) }, {}, { name: ' ' }, { name: 'x', developer: 1 }, { name: 'x', key: 'x' }],
  ),
  developer: textOf(120),
  publisher: textOf(120),
  multiplayer_modes: rowsOf(
    20,
    [
      {},
      Object.fromEntries(FLAGS.map((flag) => [flag, false])),
      { ...Object.fromEntries(COUNTS.map((count) => [count, 1_000])), platformId: ID },
      Object.fromEntries(COUNTS.map((count) => [count, 0])),
    ],
    [
      ...FLAGS.map((flag) => ({ [flag]: 1 })),
      ...COUNTS.flatMap((count) => [-1, 1_001, 1.5, true].map((value) => ({ [count]: value }))),
      { platformId: 'x' },
      { crossplay: true },
    ],
  ),
  ageRatings: rowsOf(
    20,
    [RATING, { ...RATING, synopsis: 'x' }, { organization: x(200), rating: x(200) }],
    [
      { organization: 'x' },
      { rating: 'x' },
      ...[{ organization: x(201) }, { rating: '' }, { other: 'x' }].map(withRating),
    ],
  ),
  websites: linksOf(20),
  videos: linksOf(20),
  externalPages: rowsOf(
    20,
    [{ uid: x(200) }, { uid: 'x', name: x(80), url: LINK }],
    [
      { uid: x(201) },
      { uid: '' },
      { name: 'x' },
      ...[{ name: x(81) }, { url: 'x' }, { a: 1 }].map((each) => ({ uid: 'x', ...each })),
    ],
  ),
  relatedGames: [
    [Object.fromEntries(RELATIONS.map((relation) => [relation, times(50, ID)]))],
    [
      { parent_game: ID },
      { parent_game: [ID] },
      { dlcs: ID },
      { unknown: [ID] },
      { ports: ['x'] },
      ...RELATIONS.map((relation) => ({ [relation]: times(51, ID) })),
    ],
  ],
  parentGameId: [[ID], ['x', '', 1, [ID]]],
  cover: [[LINK], [[LINK], 'x']],
  screenshots: linksOf(20),
  artworks: linksOf(20),
  igdbId: [
    [1, 2_000_000_000],
    [0, -1, 1.5, '1', null, 2 ** 53],
  ],
  vndbId: [
    ['v17', 'v017', ' v2 ', 'v9999999'],
    ['v0', 'v000', 'v12345678', '17', 'V17', 'v', 'v1x', 'v 1', '', 17],
  ],
  hltbId: [
    ['42', '0042', '9999999999'],
    ['0', '000', '12345678901', 'x', '', '1.5', '-1', 42],
  ],
  retroachievements: rowsOf(
    10,
    [{ gameId: 1, consoleId: 2 }],
    [{ gameId: 1 }, { consoleId: 1 }, ...['1', 0].map((gameId) => ({ gameId, consoleId: 2 })), 1],
  ),
}
const CHARACTER: Record<string, unknown[][]> = {
  name: textOf(200),
  akas: readableArray(20, 200),
  gameIds: idsOf(60),
  gender: textOf(40),
  species: textOf(80),
  countryName: textOf(120),
  description: textOf(5_000),
  mugShot: [[LINK], [[LINK], 'x']],
}

describe.each([
  { kind: 'game', payload: GamePayload, table: GAME },
  { kind: 'character', payload: CharacterPayload, table: CHARACTER },
])('the payload of a $kind', ({ payload, table }) => {
  const cases = Object.entries(table).map(([field, [taken = [], refused = []]]) => ({ field, taken, refused }))

  it('has these fields and no others', () => {
    // The documents register names, under which the schema would be a reference.
    const unnamed = { io: 'input', unrepresentable: 'any', metadata: z.registry<{ id?: string }>() } as const
    const { properties, required, additionalProperties } = z.toJSONSchema(payload, unnamed)
    expect(Object.keys(properties ?? {}).sort()).toEqual(Object.keys(table).sort())
    expect([required, additionalProperties]).toEqual([undefined, false])
  })

  it.each(cases)('$field has its bounds', ({ field, taken, refused }) => {
    for (const value of taken) {
      expect(payload.safeParse({ [field]: value }).error?.issues, JSON.stringify(value).slice(0, 90)).toBeUndefined()
    }
    for (const value of refused) {
      expect(payload.safeParse({ [field]: value }).success, JSON.stringify(value).slice(0, 90)).toBe(false)
    }
  })

  it.each([
    { unknown: 1 },
    { name: 'x', slug: 'x' },
    { name: 'x', _id: ID },
    JSON.parse('{"name":"x","__proto__":{}}'),
  ])('refuses %j', (sent) => {
    expect(payload.safeParse(sent).error?.issues[0]?.code).toBe('unrecognized_keys')
  })
})

it.each([{}, { genres: [] }, { relatedGames: {} }, { relatedGames: { dlcs: [] }, cover: undefined }])(
  'a payload: %j proposes nothing',
  (sent) => {
    expect(GamePayload.safeParse(sent).error?.issues.map(({ message }) => message)).toEqual(['Fill at least one field'])
  },
)

it('a payload keeps filled fields: texts trimmed, ids in lower case, no empty list', () => {
  const sent = {
    name: '  Halcyon ',
    genres: [' Puzzle '],
    themes: [],
    platformIds: [ID.toUpperCase()],
    relatedGames: { dlcs: [], ports: [ID] },
  }
  expect(GamePayload.parse(sent)).toEqual({
    name: 'Halcyon',
    genres: ['Puzzle'],
    platformIds: [ID],
    relatedGames: { dlcs: [], ports: [ID] },
  })
  expect(GamePayload.parse({ multiplayer_modes: [{ lanCoop: false, offlineMax: 0 }] })).toHaveProperty(
    'multiplayer_modes',
  )
})

it.each([
  { vndbId: 'v017', hltbId: '0042' },
  { vndbId: ' v0000017 ', hltbId: '42' },
])('a payload: the source ids of %j lose leading zeros, because owners are found by that form', (sent) => {
  expect(GamePayload.parse(sent)).toEqual({ vndbId: 'v17', hltbId: '42' })
})

it('a list of a payload keeps no repeats, in any case of letters and ids', () => {
  const [one, other] = [LINK, `${LINK}?2`]
  const rating = { rating: '12', organization: 'PEGI' }
  const relatedGames = { dlcs: [ID, ID.toUpperCase()], ports: [ID] }
  const sent = {
    genres: ['Puzzle', ' puzzle', 'Arcade', 'Puzzle '],
    platformIds: [ID, ID.toUpperCase()],
    screenshots: [one, other, `${one} `],
    ageRatings: [RATING, rating, { ...RATING, rating: '16' }],
    relatedGames,
  }
  expect(GamePayload.parse(sent)).toEqual({
    genres: ['Puzzle', 'Arcade'],
    platformIds: [ID],
    screenshots: [one, other],
    ageRatings: [RATING, { ...RATING, rating: '16' }],
    relatedGames: { dlcs: [ID], ports: [ID] },
  })
  expect(CharacterPayload.parse({ akas: ['El', 'EL'], gameIds: [ID, ID] })).toEqual({ akas: ['El'], gameIds: [ID] })
})

const messagesOf = (cover: unknown) => GamePayload.safeParse({ cover }).error?.issues.map(({ message }) => message)

it.each([LINK, ' http://example.com ', 'HTTPS://EXAMPLE.COM/ä?b=c#d', 'http://127.0.0.1:8080/x', linkOf(2_048)])(
  'a link takes %.60j',
  (link) => {
    expect(GamePayload.parse({ cover: link })).toEqual({ cover: link.trim() })
  },
)

it.each(['ftp://example.com/a.png', 'javascript:alert(1)', 'https://', 'https://example.com/a\nb', ''])(
  'a link refuses %j',
  (link) => {
    expect(messagesOf(link)).toEqual(['Use an http(s) link'])
  },
)

it('a link has at most 2048 characters', () => {
  expect(messagesOf(linkOf(2_049))).toHaveLength(1)
})

const add = { kind: 'game', action: 'add', payload: { name: 'Halcyon' } }
const update = { kind: 'game', action: 'update', targetId: ID, payload: { name: 'Halcyon' } }
const firstIssue = (schema: z.ZodType, sent: unknown) => {
  const issue = schema.safeParse(sent).error?.issues[0]
  return issue && [issue.path.join('.'), issue.message]
}

it.each([
  [add, { targetId: null, sources: [], note: null }],
  [
    { ...add, targetId: 'ignored', note: ' ', sources: [] },
    { targetId: null, sources: [], note: null },
  ],
  [
    { ...add, targetId: { any: 1 }, note: null },
    { targetId: null, sources: [], note: null },
  ],
  [
    { ...update, targetId: ID.toUpperCase(), note: ' a ', sources: [` ${LINK}`] },
    { targetId: ID, sources: [LINK], note: 'a' },
  ],
  [{ ...add, payload: { igdbId: 1 } }, { payload: { igdbId: 1 } }],
  [{ ...add, payload: { vndbId: 'v1' } }, { payload: { vndbId: 'v1' } }],
  [
    { ...update, kind: 'character', payload: { gender: 'x' } },
    { kind: 'character', payload: { gender: 'x' } },
  ],
  [{ ...add, note: x(2_000), sources: times(10, LINK) }, { note: x(2_000) }],
])('a request: %j is taken', (sent, parsed) => {
  expect(CreateRequestBody.parse(sent)).toMatchObject(parsed)
})

it.each([
  [{ ...update, targetId: undefined }, 'targetId', 'Pick what to update'],
  [{ ...update, targetId: '' }, 'targetId', 'Pick what to update'],
  [{ ...update, targetId: 'x' }, 'targetId', 'Invalid id'],
  [{ ...update, targetId: { $ne: null } }, 'targetId', 'Invalid id'],
  [{ ...add, payload: { summary: 'x' } }, 'payload.name', 'A name, an IGDB id or a VNDB id is required'],
  [
    { ...add, kind: 'character', payload: { gender: 'x' } },
    'payload.name',
    'A name, an IGDB id or a VNDB id is required',
  ],
  [{ ...add, payload: {} }, 'payload', 'Fill at least one field'],
  [{ ...add, kind: 'character', payload: {} }, 'payload', 'Fill at least one field'],
  [{ ...add, payload: { vndbId: '17' } }, 'payload.vndbId', 'A VNDB id looks like v17'],
  [{ ...add, payload: { name: 'x', hltbId: 'x' } }, 'payload.hltbId', 'An HLTB id is a number'],
  [{ ...add, sources: ['x'] }, 'sources.0', 'Use an http(s) link'],
  [{ ...add, kind: 'studio' }, 'kind', 'kind must be game or character'],
])('a request: %j is refused at %s: %s', (sent, path, message) => {
  expect(firstIssue(CreateRequestBody, sent)).toEqual([path, message])
})

it.each([
  [{ decision: 'approve' }, { decision: 'approve', reason: null, lockSync: false, force: false }],
  [
    { decision: 'approve', fields: ['name', 'unknown'], reason: ' ', lockSync: true, force: true },
    { decision: 'approve', fields: ['name', 'unknown'], reason: null, lockSync: true, force: true },
  ],
  [
    { decision: 'reject', reason: ` ${x(1_000)} ` },
    { decision: 'reject', reason: x(1_000), lockSync: false, force: false },
  ],
])('a decision %j is taken', (sent, parsed) => {
  expect(RequestDecisionBody.parse(sent)).toEqual(parsed)
})

it.each([{}, { reason: '' }, { reason: ' \u3164\u200b' }, { reason: null }])(
  'a decision: a reject with %j needs a reason',
  (sent) => {
    expect(firstIssue(RequestDecisionBody, { decision: 'reject', ...sent })).toEqual([
      'reason',
      'A reason is required to reject',
    ])
  },
)

const documented = (schema: z.ZodType) =>
  z.fromJSONSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

it.each([[add], [{ ...add, payload: { igdbId: 1 } }], [{ ...add, kind: 'character', targetId: '' }], [update]])(
  'the documents accept %j, and not without its required fields',
  (sent) => {
    const takes = (each: unknown) => documented(CreateRequestBody).safeParse(each).success
    expect(takes(sent)).toBe(true)
    expect(takes({ ...sent, targetId: undefined, payload: { summary: 'x' } })).toBe(false)
  },
)

it('the documents demand a reason for a rejection, and a field where an approval names some', () => {
  const takes = (sent: unknown) => documented(RequestDecisionBody).safeParse(sent).success
  expect([{ decision: 'approve' }, { decision: 'reject', reason: 'x', fields: [] }].map(takes)).toEqual([true, true])
  const refused = [{}, { reason: null }, { reason: ' ' }].map((sent) => ({ decision: 'reject', ...sent }))
  expect(refused.map(takes)).toEqual([false, false, false])
  expect(takes({ decision: 'approve', fields: [] })).toBe(false)
})
