import { expect, test } from 'vitest'
import { completeKeys } from '#lib/domain/catalogue/keys/make-keys'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { profile } from '../../support/clients/profile.ts'
import { insertGame, insertRows, newGame } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const search = (text: string, take?: number) =>
  service.guest.get(
    `/games/search?searchString=${encodeURIComponent(text)}${take === undefined ? '' : `&take=${take}`}`,
  )
const namesOf = async (text: string, take?: number) =>
  (await search(text, take)).body.results.map(({ name }: { name: string }) => name)

const GAMES: Partial<GameDocument>[] = [
  { name: 'Doom' },
  { name: 'Doom Eternal', igdb: { gameId: 1, total_rating_count: 900 } },
  { name: 'Doom 64', igdb: { gameId: 2, total_rating_count: 30, hypes: 5 } },
  { name: 'Doomdark', igdb: { gameId: 3, total_rating_count: 33 } },
  { name: 'Ultimate', alternative_names: ['Doom'] },
  { name: 'Final', alternative_names: ['Doom Classic'], igdb: { gameId: 4, total_rating_count: 5_000 } },
  { name: 'The Temple of Doom', igdb: { gameId: 5, total_rating_count: 9_000 } },
  { name: 'Brutal Doom', vndb: { vnId: 'v1', votecount: 9_001 } },
  { name: 'Pokémon Red', alternative_names: ['ポケットモンスター 赤'] },
  { name: "Assassin's Creed" },
  { name: 'Spider-Man' },
  { name: 'S.T.A.L.K.E.R.' },
  { name: 'Half-Life 2: Episode One' },
  { name: 'The Legend of Zelda', alternative_names: ['ゼルダの伝説', 'Zelda no Densetsu'] },
  { name: 'Ведьмак' },
  { name: 'N+' },
  { name: '!!!' },
  { name: '???.*' },
]

const service = await useService()
for (const facts of GAMES) await insertGame(service.db, facts)
await completeKeys(service.db)

test('200 with the best first: name, its beginning, an alternative name, its beginning, words; then votes', async () => {
  expect(await namesOf('doom')).toEqual([
    'Doom',
    'Doom Eternal',
    'Doom 64',
    'Doomdark',
    'Ultimate',
    'Final',
    'Brutal Doom',
    'The Temple of Doom',
  ])
})

test('200: `take` cuts the list, and keeps the total and the order', async () => {
  const whole = await namesOf('doom', 50)
  for (const take of [1, 3, 5, 6, 7]) {
    const { body } = await search('doom', take)
    expect(body.total).toBe(8)
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(whole.slice(0, take))
  }
})

test('200: equal votes are ordered by the shorter name, then by the alphabet', async () => {
  for (const name of ['Quux Bb', 'Quux Aa', 'Quux Ccc', 'Quux']) await insertGame(service.db, { name })
  await completeKeys(service.db)
  expect(await namesOf('quux')).toEqual(['Quux', 'Quux Aa', 'Quux Bb', 'Quux Ccc'])
})

test('200: equal names and votes are ordered by age, unknown dates last', async () => {
  const dates = [undefined, Date.UTC(2017, 4) / 1_000, Date.UTC(2006, 6) / 1_000]
  for (const [index, first_release] of dates.entries()) {
    await insertGame(service.db, { name: 'Vigil', slug: `vigil-${index}`, ...(first_release && { first_release }) })
  }
  await completeKeys(service.db)
  const slugs = (await search('vigil')).body.results.map(({ slug }: { slug: string }) => slug)
  expect(slugs).toEqual(['vigil-2', 'vigil-1', 'vigil-0'])
  expect((await search('vigil', 1)).body.results).toMatchObject([{ slug: 'vigil-2' }])
})

test('200: a row has exactly its fields, null where the game has none', async () => {
  const row = { name: 'Rowan', slug: 'rowan', cover: 'https://example.com/c.jpg', type: 'Remake', first_release: 9 }
  const _id = await insertGame(service.db, { ...row, summary: 'not in a row' })
  const bareRow = { name: 'Rowan Bare', slug: 'rowan-bare' }
  const bare = await insertGame(service.db, bareRow)
  await completeKeys(service.db)
  expect((await search('rowan')).body).toEqual({
    total: 2,
    results: [
      { _id: _id.toHexString(), ...row },
      { _id: bare.toHexString(), ...bareRow, cover: null, type: null, first_release: null },
    ],
  })
})

test.each([
  ['pokemon', 'Pokémon Red'],
  ['red pokemon', 'Pokémon Red'],
  ['ポケット', 'Pokémon Red'],
  ['assassins creed', "Assassin's Creed"],
  ['spiderman', 'Spider-Man'],
  ['stalker', 'S.T.A.L.K.E.R.'],
  ['half life episode', 'Half-Life 2: Episode One'],
  ['  episode   2 ', 'Half-Life 2: Episode One'],
  ['伝説', 'The Legend of Zelda'],
  ['vedmak', 'Ведьмак'],
  ['!!!', '!!!'],
  ['n+', 'N+'],
])('%j finds %s', async (text, name) => expect(await namesOf(text)).toContain(name))

test.each(['oom', 'doom zelda', 'zz', '.*', '(a|b)*', '$where', '{"$gt":""}', '\u0000\u0000', '😀😀'])(
  '200: %j finds nothing, and a pattern is text',
  async (text) => {
    expect(await search(text)).toMatchObject({ status: 200, body: { results: [], total: 0 } })
    expect(await namesOf('??')).toEqual(['???.*'])
  },
)

test('200 for many words, in time', async () => {
  expect((await search('a b '.repeat(50))).body).toEqual({ results: [], total: 0 })
  expect(await namesOf('the legend of zelda zelda no densetsu the of the legend')).toEqual(['The Legend of Zelda'])
})

test('200: the number of index keys grows with the matches, and not with the catalogue', async () => {
  const keysOf = async (text: string) => {
    const commands = await profile(service.db, 'games', () => search(text, 3))
    expect(commands.length).toBeGreaterThan(0)
    for (const { planSummary } of commands) expect(planSummary).toMatch(/^IXSCAN|^IDHACK/)
    return commands.reduce((sum, { keysExamined, docsExamined }) => sum + keysExamined + docsExamined, 0)
  }
  const texts = ['doom', 'doom eternal', 'zelda', 'of doom temple', 'nothing']
  const before = new Map<string, number>()
  for (const text of texts) before.set(text, await keysOf(text))

  const rows = Array.from({ length: 1_020 }, (_, index) =>
    newGame({ name: `Game of Number ${index}`, alternative_names: [`Spiel ${index} of ${index % 100}`] }),
  )
  await insertRows(service.db.games, rows)
  await completeKeys(service.db)

  for (const text of texts) expect(await keysOf(text)).toBeLessThanOrEqual((before.get(text) ?? 0) + 2)
  expect((await search('game')).body.total).toBe(1_000)
  const counts = await profile(service.db, 'games', () => search('game'))
  expect(counts.find(({ op }) => op === 'command')?.keysExamined).toBeLessThanOrEqual(1_001)
  expect(await namesOf('spiel 1019')).toEqual(['Game of Number 1019'])
})
