import { afterAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '#lib/base/config'
import { EntryError, SourceError } from '#lib/infrastructure/sources/transport/errors'
import { createVndb } from '#lib/infrastructure/sources/vndb/vndb'
import { entryOf } from '../../../../support/rows/entries.ts'
import { startVndbStandIn } from '../../../../support/stand-ins/vndb.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const TOKEN = 'a-secret-token'
const FAST = { limits: { requests: 1_000, withinMs: 1, open: 1 }, retryMs: 1, clock: () => NOW }

const novels = (env: Record<string, string> = {}) =>
  createVndb({ config: readConfig({ ...source.env, ...env }), ...FAST })

const source = await startVndbStandIn({ token: TOKEN })
beforeEach(() => source.reset())
afterAll(() => source.close())

it('a novel is read as a game of the catalogue', async () => {
  source.put({
    id: 'v90001',
    title: 'Lantern no Yoru',
    alttitle: 'ランタンの夜',
    titles: [
      { lang: 'ja', title: 'ランタンの夜', latin: 'Lantern no Yoru', official: true, main: true },
      { lang: 'en', title: 'Night of the Lantern', latin: null, official: true, main: false },
    ],
    aliases: ['LnY', 'night of the lantern'],
    released: '2019-04',
    platforms: ['win', 'swi'],
    image: { id: 'cv1', url: 'https://t.vndb.org/cv/01/1.jpg', sexual: 0, violence: 0.1, votecount: 9 },
    length_minutes: 1_830,
    description: 'A [b]short[/b] tale. [spoiler]It ends.[/spoiler]',
    rating: 74.2,
    votecount: 312,
    developers: [{ id: 'p9', name: 'North Pier', original: null }],
  })

  const names = ['ランタンの夜', 'Night of the Lantern', 'LnY']
  const part = { vnId: 'v90001', rating: 74.2, votecount: 312, lengthMinutes: 1_830, syncedAt: NOW }
  const { subject, ...entry } = entryOf('vndb', 'v90001', part, {
    name: 'Lantern no Yoru',
    fields: {
      alternative_names: names,
      summary: 'A short tale.',
      first_release: Date.UTC(2019, 3, 1) / 1000,
      companies: [{ name: 'North Pier', developer: true }],
    },
    platforms: ['win', 'swi'],
    images: { cover: 'https://t.vndb.org/cv/01/1.jpg' },
  })
  expect(await novels().read('v90001')).toStrictEqual({
    ...entry,
    subject: {
      ...subject,
      originalName: 'ランタンの夜',
      alternativeNames: names,
      description: 'A short tale.',
      released: '2019-04',
      developers: ['North Pier'],
      lengthMinutes: 1_830,
      cover: 'https://t.vndb.org/cv/01/1.jpg',
      url: 'https://vndb.org/v90001',
    },
  })
})

it('an unknown fact is absent', async () => {
  source.put({ id: 'v2', title: 'Bare', released: 'TBA', description: '[spoiler]all of it[/spoiler]' })

  const { subject, ...entry } = entryOf('vndb', 'v2', { vnId: 'v2', votecount: 0, syncedAt: NOW }, { name: 'Bare' })
  expect(await novels().read('v2')).toStrictEqual({ ...entry, subject: { ...subject, url: 'https://vndb.org/v2' } })
})

it.each([
  [
    'null where it may have a list',
    { titles: null, aliases: null, platforms: null, developers: null, votecount: null },
  ],
  ['nothing but its id and title', {}],
])('a row is read with %s', async (_what, fields) => {
  source.fail({
    body: {
      results: [{ id: 'v4', title: 'Bare', image: { url: 'https://t.vndb.org/4.jpg' }, ...fields }],
      more: false,
    },
  })

  const { part, game } = await novels().read('v4')
  expect(part).toStrictEqual({ vnId: 'v4', syncedAt: NOW })
  expect(game).toMatchObject({ name: 'Bare', fields: {}, platforms: [], images: { cover: 'https://t.vndb.org/4.jpg' } })
})

it.each([
  ['sexual above 1.3', { sexual: 1.31, violence: 0 }, true],
  ['violence above 1.3', { sexual: 0, violence: 2 }, true],
  ['both at 1.3', { sexual: 1.3, violence: 1.3 }, false],
])('a cover with %s is marked, and kept out of the catalogue when explicit', async (_what, averages, isExplicit) => {
  source.put({ id: 'v3', title: 'Cover', image: { id: 'cv3', url: 'https://t.vndb.org/cv/03/3.jpg', ...averages } })

  const { game, subject } = await novels().read('v3')
  expect(game.images).toEqual(isExplicit ? {} : { cover: 'https://t.vndb.org/cv/03/3.jpg' })
  expect(subject).toMatchObject({ cover: 'https://t.vndb.org/cv/03/3.jpg', isExplicitCover: isExplicit })
})

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['a list with null in it', { aliases: [null, 'LnY'] }, { aliases: ['LnY'] }],
  ['a number as text', { votecount: '312', rating: '74.2' }, { votecount: 312, rating: 74.2 }],
  ['a row of another form', { titles: ['x', { title: 7, latin: 'Y' }] }, { titles: [{ title: null, latin: 'Y' }] }],
  ['an average of another form', { image: { url: 'https://t.vndb.org/1.jpg', sexual: 'high' } }, {}],
  ...['alttitle', 'titles', 'aliases', 'released', 'platforms', 'image', 'length_minutes', 'description'].map(
    (field): [string, Record<string, unknown>, Record<string, unknown>] => [`an odd ${field}`, { [field]: true }, {}],
  ),
  ...['rating', 'votecount', 'developers'].map((field): [string, Record<string, unknown>, Record<string, unknown>] => [
    `an odd ${field}`,
    { [field]: {} },
    {},
  ]),
])('a row with %s loses that fact alone', async (_, odd, plain) => {
  const [id, title] = ['v4', 'Lantern no Yoru']
  const read = (row: Record<string, unknown>) => {
    source.fail({ body: { results: [{ id, title, released: '2019-04', ...row }] } }, 1)
    return novels().read(id)
  }
  const expected = 'released' in odd ? { released: null } : plain

  expect(await read(odd)).toStrictEqual(await read(expected))
})

it('names lose invisible characters, and a title of such characters alone is refused', async () => {
  const aliases = ['Ye\u200bl', '\u3164', 'a\u202eb']
  source.put({ id: 'v4', title: 'Lan\u00adtern', aliases, developers: [{ name: '\u2800' }], description: '\ufe0f' })

  expect((await novels().read('v4')).subject).toMatchObject({
    name: 'Lantern',
    alternativeNames: ['Yel', 'ab'],
    developers: [],
    description: null,
  })
  source.put({ id: 'v5', title: '\u3164' })
  await expect(novels().read('v5')).rejects.toThrow(EntryError)
})

it('HTML entities in names and descriptions are decoded', async () => {
  source.put({ id: 'v4', title: 'Tom &amp; Jerry', aliases: ['Pok&eacute;mon'], description: 'AT&T &#039;s' })

  expect((await novels().read('v4')).subject).toMatchObject({
    name: 'Tom & Jerry',
    alternativeNames: ['Pokémon'],
    description: "AT&T 's",
  })
})

it('a hundred entries take one request', async () => {
  const ids = Array.from({ length: 100 }, (_, number) => `v${1_000 + number}`)
  source.put(...ids.map((id) => ({ id, title: `Novel ${id}` })))

  const found = await novels().readMany(ids)
  expect([...found.values()].map((entry) => entry instanceof SourceError || entry.game.name)).toEqual(
    ids.map((id) => `Novel ${id}`),
  )
  expect(source.requests).toHaveLength(1)
})

it('a malformed row and an unknown id do not affect the others', async () => {
  source.put({ id: 'v4', title: 'Good' }, { id: 'v5', title: ' ' }, { id: 'v6', title: 'Also good' })

  const found = await novels().readMany(['v4', 'v5', 'v6', 'v404404', 'v4'])
  expect([...found].map(([id, entry]) => [id, entry instanceof SourceError ? entry.failure : entry.id])).toEqual([
    ['v4', 'v4'],
    ['v5', 'malformed'],
    ['v6', 'v6'],
    ['v404404', 'not-found'],
  ])
})

it.each([
  ['a row without an id', { results: [{ id: 'v4', title: 'x' }, { title: 'whose?' }], more: false }],
  ['an answer that goes on', { results: [], more: true }],
])('%s does not prove that an entry is unknown', async (_what, body) => {
  source.fail({ body })

  const found = await novels().readMany(['v4', 'v77'])
  expect(found.get('v77')).toMatchObject({ failure: 'malformed' })
})

it('a request has the token, the user agent and its type', async () => {
  await novels().readMany(['v4'])
  const { headers } = source.requests[0] ?? {}

  expect(headers).toMatchObject({ authorization: `Token ${TOKEN}`, 'content-type': 'application/json' })
  expect(headers?.['user-agent']).toContain('http://localhost')
})
