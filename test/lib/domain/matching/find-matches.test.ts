import { ObjectId } from 'mongodb'
import { beforeEach, expect, test } from 'vitest'
import { buildGameKeys } from '#lib/domain/catalogue/games/insert-game'
import { findMatches } from '#lib/domain/matching/find-matches'
import type { MatchSubject } from '#lib/domain/matching/match'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { profile } from '../../../support/clients/profile.ts'
import { insertGame, newGame } from '../../../support/rows/rows.ts'
import { useDatabase } from '../../../support/service/use-database.ts'

const { db } = await useDatabase()
beforeEach(() => db.games.deleteMany({}))

const insert = (facts: Partial<GameDocument> & { name: string }) =>
  insertGame(db, { ...facts, ...buildGameKeys(facts) })
const find = (subject: Partial<MatchSubject> & { name: string }, take = 10) => findMatches({ db }, subject, { take })
const findNames = async (name: string, take?: number) => (await find({ name }, take)).map((match) => match.name)
const day = (text: string) => Date.parse(text) / 1000

test.each([
  ['silent hill 2', 'Silent Hill 2', []],
  ['SILENT  HILL II', 'Silent Hill 2', []],
  ['GTA 5', 'Grand Theft Auto V', []],
  ['KotOR', 'Star Wars: Knights of the Old Republic', []],
  ['Skyrim', 'The Elder Scrolls V: Skyrim', []],
  ['Skyrm', 'Skyrim', []],
  ['Half-Lfie 2', 'Half-Life 2', []],
  ['Sekiro', 'Sekiro: Shadows Die Twice', []],
  ['Ocarina of Time', 'The Legend of Zelda: Ocarina of Time', []],
  ['Horizon - Game of the Year Edition', 'Horizon', []],
  ['バイオハザード', 'Resident Evil', ['バイオハザード']],
  ['黑神话：悟空', 'Black Myth: Wukong', ['黑神话：悟空']],
  ['Тетрис', 'Tetris', []],
  ['젤다의 전설', 'Zelda', ['젤다의 전설']],
  ['Okami HD', 'Okami', []],
  ['Superhot', 'Superhot Remastered', []],
  ['Thi4f', 'Thief', []],
  ['Driver 3', 'Driv3r', []],
  ['Метро 2033 / Metro 2033', 'Metro 2033', []],
  ['Probotector', 'Contra: Hard Corps / Probotector', []],
  ['!!!', '!!!', []],
  ['The', 'The', []],
])('%s finds %s', async (text, name, alternative_names) => {
  const _id = await insert({ name, alternative_names })
  await insert({ name: 'Lantern Keep' })

  expect((await find({ name: text })).map(({ gameId }) => gameId)).toEqual([_id])
})

test('an empty name finds nothing, and an empty catalogue has no match', async () => {
  expect(await findNames('Doom')).toEqual([])
  await insert({ name: 'Doom' })
  expect(await findNames('')).toEqual([])
  expect(await findNames('   ')).toEqual([])
  expect(await findNames('\ud800')).toEqual([])
})

test.each([['.*'], ['^D'], ['(Doom'], ['[Doom'], ['Do?m+'], ['$where'], ['Doom\\'], ['\u0000Doom']])(
  'the pattern %s is text',
  async (name) => {
    await insert({ name: 'Lantern Keep' })
    await insert({ name })

    expect(await findNames(name)).toEqual([name])
  },
)

test('the best match comes first, and each match has its signals', async () => {
  await insert({ name: 'Doom', first_release: day('1993-12-10') })
  await insert({ name: 'Doom', slug: 'doom-2016', first_release: day('2016-05-13') })
  await insert({ name: 'Doom Eternal', first_release: day('2020-03-20') })

  const matches = await find({ name: 'DOOM', released: '2016-05' })

  expect(matches.map(({ slug, dateSignal }) => [slug, dateSignal]).at(0)).toEqual(['doom-2016', 'confirms'])
  expect(matches.map(({ name }) => name)).toEqual(['Doom', 'Doom', 'Doom Eternal'])
  const scores = matches.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
})

test('matches with equal scores keep one order', async () => {
  const ids = Array.from({ length: 6 }, () => new ObjectId())
  for (const _id of [...ids].reverse()) await insert({ _id, name: 'Doom' })

  expect((await find({ name: 'Doom' })).map(({ gameId }) => gameId)).toEqual(ids)
})

test('the exact name is found among hundreds that share its words', async () => {
  const fill = (name: string, votes: number) => {
    const facts = { name, igdb: { gameId: votes, total_rating_count: votes } }
    return newGame({ ...facts, ...buildGameKeys(facts) })
  }
  const names = Array.from(
    { length: 400 },
    (_, index) => `Super Mario World ${String.fromCharCode(97 + (index % 26))}x${index}`,
  )
  await db.games.insertMany(names.map((name, index) => fill(name, index + 1)))
  await insert({ name: 'Super Mario World' })

  expect((await findNames('super mario world')).at(0)).toBe('Super Mario World')
  expect((await findNames('Super Mario Wolrd')).at(0)).toBe('Super Mario World')
})

test('candidates are found by indexes alone, with the same number of keys in a larger catalogue', async () => {
  const words = ['super', 'of', 'the', 'dark', 'world', 'war']
  const games = Array.from({ length: 1_600 }, (_, index) => {
    const name = `${words[index % 6]} ${words[(index >> 2) % 6]} ${index}`
    const facts = { name, igdb: { gameId: index + 1 } }
    return newGame({ ...facts, ...buildGameKeys(facts) })
  })
  const subject = { name: 'Super World of the Dark: War 7', alternativeNames: ['Dark Super', 'GTA V'] }
  const examined = async () => {
    const commands = await profile(db, 'games', () => find(subject))
    return {
      commands: commands.length,
      keys: commands.reduce((sum, { keysExamined }) => sum + keysExamined, 0),
      documents: commands.map(({ docsExamined }) => docsExamined),
      isSorted: commands.some(({ hasSortStage }) => hasSortStage),
    }
  }

  await db.games.insertMany(games.slice(0, 800))
  const before = await examined()
  await db.games.insertMany(games.slice(800))
  const after = await examined()

  for (const { commands, documents, isSorted, keys } of [before, after]) {
    expect(commands).toBe(2)
    // The first command picks ids by indexes, and the second one reads the picked games.
    expect(documents.toSorted((a, b) => a - b)).toEqual([0, 32])
    expect(isSorted).toBe(false)
    expect(keys).toBeLessThan(1_500)
  }
  expect(after.keys).toBeLessThan(before.keys * 1.2)
})
