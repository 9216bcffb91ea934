import { afterAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '#lib/base/config'
import { createHltb } from '#lib/infrastructure/sources/hltb/hltb'
import { entryOf } from '../../../../support/rows/entries.ts'
import { HLTB_FAILURES, hltbPage, startHltbStandIn } from '../../../../support/stand-ins/hltb.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const FAST = { limits: { requests: 1_000, withinMs: 1, open: 1 }, retryMs: 1, clock: () => NOW }

const pageOf = (game: unknown) => hltbPage({ props: { pageProps: { game: { data: { game: [game] } } } } })

const playtimes = () => createHltb({ config: readConfig(source.env), ...FAST })

const source = await startHltbStandIn()
beforeEach(() => source.reset())
afterAll(() => source.close())

const TIMES: [sent: string, seconds: number, count: number, key: string, hours: number][] = [
  ['comp_main', 43_464, 406, 'mainStory', 12.07],
  ['comp_plus', 50_837, 314, 'mainExtra', 14.12],
  ['comp_100', 66_013, 99, 'completionist', 18.34],
  ['comp_all', 47_867, 819, 'allStyles', 13.3],
  ['invested_co', 3_600, 7, 'coop', 1],
  ['invested_mp', 90, 1, 'multiplayer', 0.03],
]

it('the times of a game are read in hours', async () => {
  const sent = TIMES.flatMap(([name, seconds, count]) => Object.entries({ [name]: seconds, [`${name}_count`]: count }))
  const read = TIMES.flatMap(([, , count, key, hours]) => Object.entries({ [key]: hours, [`${key}Count`]: count }))
  source.put({
    game_id: 42,
    game_name: 'Lantern Keep',
    game_alias: 'Keep of Lanterns, LK',
    game_image: '42_Lantern Keep.jpg',
    comp_lvl_co: 1,
    comp_lvl_mp: 1,
    ...Object.fromEntries(sent),
    review_score: 88,
    profile_platform: 'Nintendo Switch, PC',
    profile_dev: 'North Pier',
    profile_summary: 'Keep the light. ',
    release_world: '2020-03-23',
  })

  const imageUrl = `${source.url}/games/42_Lantern%20Keep.jpg`
  const { subject, ...entry } = entryOf('hltb', '42', {
    hltbId: '42',
    ...Object.fromEntries(read),
    reviewScore: 88,
    imageUrl,
    platforms: ['Nintendo Switch', 'PC'],
    releaseYear: 2020,
    updatedAt: NOW,
  })
  expect(await playtimes().read('42')).toStrictEqual({
    ...entry,
    subject: {
      ...subject,
      alternativeNames: ['Keep of Lanterns', 'LK'],
      description: 'Keep the light.',
      released: '2020-03-23',
      developers: ['North Pier'],
      lengthMinutes: 724,
      cover: imageUrl,
      url: `${source.url}/game/42`,
    },
  })
})

it('a fact that is 0 or empty is absent', async () => {
  source.put({ game_id: 43, game_name: 'Bare' })

  const { part, subject } = await playtimes().read('43')
  expect(part).toStrictEqual({ hltbId: '43', updatedAt: NOW })
  expect(subject).toMatchObject({ released: null, lengthMinutes: null, cover: null, description: null, developers: [] })
})

it('numbers may come as text', async () => {
  const times = { comp_main: '3600', comp_main_count: '4', comp_lvl_sp: '1', invested_mp: '3600', comp_lvl_mp: '0' }
  source.fail(pageOf({ game_id: '43', game_name: 'Text', review_score: '88', ...times }))

  expect((await playtimes().read('43')).part).toStrictEqual({
    hltbId: '43',
    mainStory: 1,
    mainStoryCount: 4,
    reviewScore: 88,
    updatedAt: NOW,
  })
})

it('a time whose flag is 0 is absent', async () => {
  const times = Object.fromEntries(TIMES.map(([name]) => [name, 3_600]))
  source.put({ game_id: 44, game_name: 'Versus', ...times, comp_lvl_sp: 0, comp_lvl_co: 0, comp_lvl_mp: 1 })

  const { part } = await playtimes().read('44')
  expect(part).toStrictEqual({ hltbId: '44', multiplayer: 1, multiplayerCount: 0, updatedAt: NOW })
})

it.each([
  ['2020-03-23', 2020, '2020-03-23'],
  [2017, 2017, '2017'],
  ['2018-00-00', 2018, '2018'],
  [0, undefined, null],
  [null, undefined, null],
])('the release %j is of the year %s', async (release, year, released) => {
  source.put({ game_id: 45, game_name: 'Dated', release_world: release })

  const { part, subject } = await playtimes().read('45')
  expect(part.releaseYear).toBe(year)
  expect(subject.released).toBe(released)
})

it.each([
  `<script type="application/json" id='__NEXT_DATA__'>DATA</script>`,
  '<script id=__NEXT_DATA__ type=application/json>DATA</script>',
  '<SCRIPT TYPE="application/json" ID="__NEXT_DATA__" NONCE="x">DATA\n</SCRIPT >',
])('the data are found in %s', async (script) => {
  const game = { game_id: 42, game_name: 'Lantern Keep' }
  const data = JSON.stringify({ props: { pageProps: { game: { data: { game: [game] } } } } })
  source.fail({ body: `<!doctype html><body>${script.replace('>DATA', `>${data}`)}</body>` })

  expect(await playtimes().read('42')).toMatchObject({ game: { name: 'Lantern Keep' } })
})

it.each([
  ['blocks', HLTB_FAILURES.blocked, 'refused', 1],
  ['throttles', HLTB_FAILURES.throttled, 'rate-limited', 3],
  ['has no script', HLTB_FAILURES.withoutScript, 'malformed', 1],
  [
    'has a script that breaks off',
    { body: '<script id="__NEXT_DATA__" type="application/json">{"props":' },
    'malformed',
    1,
  ],
  ['has a script that is no JSON', { body: '<script id="__NEXT_DATA__">{"props":</script>' }, 'malformed', 1],
  ['has a script tag without an end', { body: '<script id="__NEXT_DATA__"' }, 'malformed', 1],
])('a page that %s is a failure', async (_what, answer, failure, attempts) => {
  source.fail(answer)

  await expect(playtimes().read('42')).rejects.toMatchObject({ source: 'hltb', failure })
  expect(source.requests).toHaveLength(attempts)
})

it('an odd fact is absent, and a list of names is decoded', async () => {
  const odd = { comp_main: 'long', comp_lvl_sp: 'yes', profile_summary: 7, release_world: [2020], review_score: {} }
  source.fail(pageOf({ game_id: 42, game_name: 'Tom &amp; Jerry', game_alias: 'T &#38; J', comp_plus: 3600, ...odd }))

  const { part, subject } = await playtimes().read('42')
  expect(part).toStrictEqual({ hltbId: '42', mainExtra: 1, updatedAt: NOW })
  expect(subject).toMatchObject({ name: 'Tom & Jerry', alternativeNames: ['T & J'], description: null, released: null })
})
