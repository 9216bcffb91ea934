import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { resolveEntries } from '#lib/domain/catalogue/entries/resolve-entries'
import type { PlatformDocument } from '#lib/infrastructure/db/collections/platforms'
import { entryOf } from '../../../../support/rows/entries.ts'
import { insertGame, insertPlatform as insertRow } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'

const scene = await useCatalogueScene()
beforeEach(async () => {
  await scene.db.games.deleteMany({})
  await scene.db.platforms.deleteMany({})
})

const insertPlatform = (facts: Partial<PlatformDocument>) => insertRow(scene.db, facts)

const release = (platform: number, region = 8) => ({
  date: 1_488_499_200,
  human: '2017-03-03',
  month: 3,
  year: 2017,
  platform,
  region,
})

it('platforms and related games get the ids of the catalogue, and unknown ones are left out', async () => {
  const [pc, ps] = [await insertPlatform({ igdbId: 6 }), await insertPlatform({ igdbId: 48, vndbId: 'ps4' })]
  const parent = await insertGame(scene.db, { igdb: { gameId: 70 } })
  const [port, remake] = [
    await insertGame(scene.db, { igdb: { gameId: 71 } }),
    await insertGame(scene.db, { igdb: { gameId: 72 } }),
  ]
  await insertGame(scene.db, { igdb: { gameId: 5 } })

  const [resolved] = await resolveEntries(scene, [
    entryOf(
      'igdb',
      '5',
      { gameId: 5, hypes: 1 },
      {
        fields: { genres: ['Puzzle'], themes: [], summary: '$where', companies: [{ name: 'North Pier' }] },
        platforms: [48, 6, 999, 48],
        releases: [release(6), release(999), release(48, 5)],
        multiplayerModes: [
          { flags: { onlineCoop: true, onlineMax: 4 }, platform: 6 },
          { flags: { dropIn: true } },
          { flags: { lanCoop: true }, platform: 999 },
          { flags: {} },
        ],
        related: { parent_game: 70, ports: [999, 71], remakes: [72, 5, 72], dlcs: [998], forks: [] },
        images: { cover: 'https://images.example/c.jpg' },
      },
    ),
  ])

  expect(resolved).toEqual({
    source: 'igdb',
    id: '5',
    part: { gameId: 5, hypes: 1 },
    fields: {
      name: 'Lantern Keep',
      genres: ['Puzzle'],
      summary: '$where',
      companies: [{ name: 'North Pier' }],
      platformIds: [ps, pc],
      release_dates: [
        { date: 1_488_499_200, human: '2017-03-03', month: 3, year: 2017, region: 8, platformId: pc },
        { date: 1_488_499_200, human: '2017-03-03', month: 3, year: 2017, region: 5, platformId: ps },
      ],
      multiplayer_modes: [{ onlineCoop: true, onlineMax: 4, platformId: pc }, { dropIn: true }],
      relatedGames: { parent_game: parent, ports: [port], remakes: [remake] },
    },
    images: { cover: 'https://images.example/c.jpg' },
    characters: [],
  })
})

it('platforms are found by the ids of the source of the entry', async () => {
  const igdb = await insertPlatform({ igdbId: 7 })
  const vndb = await insertPlatform({ vndbId: 'win' })
  const ra = await insertPlatform({ raConsoleId: 7 })
  const platformsOf = async (entry: ReturnType<typeof entryOf>) =>
    (await resolveEntries(scene, [entry]))[0]?.fields.platformIds

  expect(await platformsOf(entryOf('vndb', 'v1', { vnId: 'v1' }, { platforms: ['win', 'lin'] }))).toEqual([vndb])
  expect(await platformsOf(entryOf('ra', '1', { gameId: 1, consoleId: 7 }, { platforms: [7] }))).toEqual([ra])
  expect(await platformsOf(entryOf('igdb', '1', { gameId: 1 }, { platforms: [7] }))).toEqual([igdb])
  const ofHltb = entryOf('hltb', '1', { hltbId: '1', updatedAt: new Date(0) }, { platforms: ['win'] })
  expect(await platformsOf(ofHltb)).toBeUndefined()
})

it('the older of two platforms with one id is found', async () => {
  const ids = [new ObjectId(), new ObjectId()]
  for (const _id of ids.toReversed()) await insertPlatform({ _id, igdbId: 6 })

  const [resolved] = await resolveEntries(scene, [entryOf('igdb', '1', { gameId: 1 }, { platforms: [6] })])
  expect(resolved?.fields.platformIds).toEqual([ids[0]])
})
