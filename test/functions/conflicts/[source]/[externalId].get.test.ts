import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { expectIndexed, profile } from '../../../support/clients/profile.ts'
import { insertConflict, insertGame, insertRows, newConflict } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService({ env: { FRONT_URL: 'https://games.example' } })
const admin = await service.caller({ isAdmin: true })
beforeEach(() => service.db.conflicts.deleteMany({}))

const insert = (facts: Partial<ConflictDocument>) => insertConflict(service.db, facts)
const read = async (source: string, externalId: string) =>
  (await admin.get(`/conflicts/${source}/${encodeURIComponent(externalId)}`)).body.item
const UNWEIGHED = { title: 0, companies: 0, date: 0, platforms: 0, genre: 0, type: 0 }

it('200 with an entry, the present values of its candidates, and the parts of their scores', async () => {
  const platformId = new ObjectId()
  const game = { cover: 'https://img.example/1', type: 'Main Game', summary: 'Birds.', isCustom: true }
  const stored = await insertGame(service.db, {
    ...game,
    name: 'Halcyon',
    slug: 'halcyon',
    alternative_names: ['ハルシオン'],
    companies: [{ name: 'Kingfisher Works', key: 'kingfisher works', developer: true }],
    first_release: 86_400,
    platformIds: [platformId],
    igdb: { gameId: 5, rating: 80 },
  })
  const gone = new ObjectId()
  const subject = {
    name: 'Halcyon',
    originalName: 'ハルシオン',
    alternativeNames: ['Kawasemi'],
    description: 'Birds again.',
    released: '1999-05',
    developers: ['Kingfisher'],
    lengthMinutes: 90,
    cover: 'https://img.example/2',
    isExplicitCover: true,
    url: 'https://source.example/1234',
  }
  const weighed = {
    score: 75,
    breakdown: { title: 8.3, companies: -10.4, date: 0.4, platforms: 0, genre: 0, type: 1.3 },
    isManual: false,
    dateSignal: 'confirms',
    descriptionSignal: 'mismatch',
    hasCompanyMismatch: true,
    matchedTitle: 'halcyon',
  } as const
  const { _id } = await insert({
    externalId: '1234',
    externalName: 'Halcyon',
    reason: 'company-mismatch',
    candidates: [
      { gameId: stored, slug: 'old-slug', name: 'Old name', ...weighed },
      { gameId: gone, slug: 'gone', name: 'Gone', score: 50 },
    ],
    failure: { message: 'The source did not answer in time', at: new Date(1_000) },
    externalData: { ...subject, platformIds: [platformId] },
  })

  expect(await read('igdb', '1234')).toEqual({
    id: _id.toHexString(),
    source: 'igdb',
    direction: 'games',
    isMultiMatch: false,
    externalId: '1234',
    reason: 'company-mismatch',
    state: 'waiting',
    isAutomatic: false,
    remaining: 1,
    nextExternalId: null,
    decidedBy: null,
    failure: { message: 'The source did not answer in time', at: '1970-01-01T00:00:01.000Z' },
    subject: { ...subject, platformIds: [platformId.toHexString()] },
    candidates: [
      {
        gameId: stored.toHexString(),
        slug: 'halcyon',
        name: 'Halcyon',
        ...weighed,
        game: {
          ...game,
          alternativeNames: ['ハルシオン'],
          companies: [{ name: 'Kingfisher Works', developer: true }],
          firstRelease: 86_400,
          platformIds: [platformId.toHexString()],
          linkedExternalId: '5',
        },
      },
      {
        gameId: gone.toHexString(),
        slug: 'gone',
        name: 'Gone',
        score: 50,
        breakdown: UNWEIGHED,
        isManual: false,
        dateSignal: 'unknown',
        descriptionSignal: 'unknown',
        hasCompanyMismatch: false,
        matchedTitle: null,
        game: null,
      },
    ],
    entries: [],
  })
})

it('200 with a catalogue game and its candidates, which are entries of hltb', async () => {
  const platformId = new ObjectId()
  const gameId = await insertGame(service.db, {
    name: 'Halcyon',
    slug: 'halcyon-2',
    alternative_names: ['Kawasemi'],
    summary: 'Birds.',
    first_release: 951_782_400,
    companies: [
      { name: 'Kingfisher', developer: true },
      { name: 'Heron Press', publisher: true },
    ],
    platformIds: [platformId],
    cover: 'https://img.example/1',
  })
  const full = { id: '42', name: 'Halcyon', score: 50, releaseYear: 2000, platforms: ['PC'], cover: 'c', url: 'u' }
  await insert({
    source: 'hltb',
    externalId: gameId.toHexString(),
    entries: [
      { ...full, details: ['Main story 3 h'] },
      { id: '43', name: 'Halcyon II' },
    ],
  })
  await insert({ source: 'hltb', externalId: new ObjectId().toHexString() })

  expect(await read('hltb', gameId.toHexString().toUpperCase())).toMatchObject({
    direction: 'entries',
    remaining: 2,
    subject: {
      name: 'Halcyon',
      originalName: 'Halcyon',
      alternativeNames: ['Kawasemi'],
      description: 'Birds.',
      released: '2000-02-29',
      developers: ['Kingfisher'],
      platformIds: [platformId.toHexString()],
      lengthMinutes: null,
      cover: 'https://img.example/1',
      isExplicitCover: false,
      url: 'https://games.example/games/halcyon-2',
    },
    candidates: [],
    entries: [
      { ...full, details: ['Main story 3 h'] },
      {
        id: '43',
        name: 'Halcyon II',
        score: null,
        releaseYear: null,
        platforms: [],
        cover: null,
        url: null,
        details: [],
      },
    ],
  })
  await service.db.games.updateOne({ _id: gameId }, { $set: { companies: [{ name: 'Heron Press' }] } })
  expect((await read('hltb', gameId.toHexString())).subject.developers).toEqual(['Heron Press'])
  await service.db.games.deleteOne({ _id: gameId })
  expect((await read('hltb', gameId.toHexString())).subject).toBeNull()
})

it('200: linkedExternalId is the id that this source links the game to', async () => {
  const gameId = await insertGame(service.db, {
    vndb: { vnId: 'v17' },
    igdb: { gameId: 6 },
    retroachievements: [
      { gameId: 70, consoleId: 1 },
      { gameId: 71, consoleId: 2 },
    ],
  })
  const bare = await insertGame(service.db)
  const candidates = [gameId, bare].map((each) => ({ gameId: each, slug: 's', name: 'N', score: 1 }))
  const linked = async (source: 'vndb' | 'igdb' | 'ra', externalId: string) => {
    await insert({ source, externalId, candidates })
    const item = await read(source, externalId)
    return item.candidates.map(({ game }: { game: { linkedExternalId: string | null } }) => game.linkedExternalId)
  }

  expect(await linked('vndb', 'v1')).toEqual(['v17', null])
  expect(await linked('igdb', '1')).toEqual(['6', null])
  expect(await linked('ra', '71')).toEqual(['71', null])
  expect(await linked('ra', '1')).toEqual(['70', null])
})

it('200: next leads through the waiting conflicts of the source, oldest first, and back to the first', async () => {
  const at = new Date(1_000)
  const [low, high] = [new ObjectId(), new ObjectId()]
  await insert({ externalId: 'second', createdAt: at, _id: low })
  await insert({ externalId: 'third', createdAt: at, _id: high, decision: null })
  await insert({ externalId: 'first', createdAt: new Date(500) })
  await insert({ externalId: 'fifth', createdAt: new Date(2_000) })
  await insert({ externalId: 'queued', createdAt: new Date(1_500), decision: 'skip' })
  await insert({ source: 'ra', externalId: 'other', createdAt: new Date(600) })
  const undated = await insert({ externalId: 'undated' })
  await service.db.conflicts.updateOne({ _id: undated._id }, { $unset: { createdAt: true } })

  const walk = []
  for (let at = 'undated'; walk.length < 6; ) {
    const { nextExternalId, remaining } = await read('igdb', at)
    expect(remaining).toBe(5)
    walk.push(nextExternalId)
    at = nextExternalId
  }
  expect(walk).toEqual(['first', 'second', 'third', 'fifth', 'undated', 'first'])
  expect(await read('igdb', 'queued')).toMatchObject({ nextExternalId: 'fifth', remaining: 5, state: 'queued-new' })
  expect(await read('ra', 'other')).toMatchObject({ nextExternalId: null, remaining: 1 })
})

it('200: as many keys as rows are read, besides the count', async () => {
  const at = Date.now()
  const rows = Array.from({ length: 100 }, (_, index) =>
    newConflict({ externalId: String(index), createdAt: new Date(at + index) }),
  )
  await insertRows(service.db.conflicts, rows)
  const commands = await profile(service.db, 'conflicts', () => read('igdb', '50'))

  expect(commands.map(({ keysExamined }) => keysExamined).sort((a, b) => a - b)).toEqual([1, 2, expect.any(Number)])
  expectIndexed(commands, { docs: 2 })
})

it('200 with null for an unknown conflict, of another source too', async () => {
  await insert({ source: 'ra', externalId: '5' })
  expect(await admin.get('/conflicts/igdb/5')).toMatchObject({ status: 200, body: { item: null } })
  expect(await read('hltb', new ObjectId().toHexString())).toBeNull()
  expect(await read('vndb', 'a/b %00')).toBeNull()
})

it('400 for a malformed game id of hltb, 200 for an id of 200 characters', async () => {
  const { status, body } = await admin.get('/conflicts/hltb/42')
  expect([status, body.message, body.issues?.[0]?.path]).toEqual([400, 'Invalid id', 'externalId'])
  expect((await admin.get(`/conflicts/igdb/${'1'.repeat(200)}`)).status).toBe(200)
})
