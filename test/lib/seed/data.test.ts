import anyAscii from 'any-ascii'
import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD, DEMO_USER_NAMES } from '../../../lib/auth/demo-users.ts'
import { COMMENT_BODY_MAX, ROYAL_GAMES_LIMIT } from '../../../lib/contract/limits.ts'
import { CreateRequestBody } from '../../../lib/contract/requests.ts'
import { seedCharacters } from '../../../lib/seed/data/characters.ts'
import { seedConflicts, seedEntriesConflicts } from '../../../lib/seed/data/conflicts.ts'
import { royalLists, seedComments } from '../../../lib/seed/data/discussion.ts'
import { day, type SeedGame, seedGames } from '../../../lib/seed/data/games.ts'
import { seedUsers } from '../../../lib/seed/data/people.ts'
import { seedPlatforms } from '../../../lib/seed/data/platforms.ts'
import { seedRequests } from '../../../lib/seed/data/requests.ts'

const TYPES =
  'Main Game, DLC, Expansion, Bundle, Standalone Expansion, Mod, Episode, Season, Remake, Remaster, Expanded Game, Port, Fork, Pack / Addon, Update, Fan Disc'.split(
    ', ',
  )
const STATUSES = 'Released, Alpha, Beta, Early Access, Offline, Cancelled, Rumored, Delisted'.split(', ')
const RELATIONS = 'dlcs expansions remakes remasters ports similar_games sequels prequels same_series'.split(' ')
const GENRES =
  "Adventure|Arcade|Fighting|Hack and slash/Beat 'em up|Indie|Platform|Puzzle|Racing|Real Time Strategy (RTS)|Role-playing (RPG)|Shooter|Simulator|Sport|Strategy|Turn-based strategy (TBS)|Visual Novel".split(
    '|',
  )
const MODES = ['Single player', 'Multiplayer', 'Co-operative', 'Split screen']
const PERSPECTIVES = ['First person', 'Third person', 'Bird view / Isometric', 'Side view', 'Text']
const COMMENT_TAGS = 'p br strong em s code pre h3 ul ol li blockquote a img'.split(' ')
const LISTED_BY_PARENT: Partial<Record<string, keyof NonNullable<SeedGame['related']>>> = {
  DLC: 'dlcs',
  Expansion: 'expansions',
  Remake: 'remakes',
  Remaster: 'remasters',
  Port: 'ports',
}

const toSlug = (name: string) =>
  anyAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const gameSlugs = new Set(seedGames.map((game) => game.slug))
const gameBySlug = new Map(seedGames.map((game) => [game.slug, game]))
const platformSlugs = new Set(seedPlatforms.map((platform) => platform.slug))
const userNames = new Set(seedUsers.map((user) => user.userName))
const commentByKey = new Map(seedComments.map((comment) => [comment.key, comment]))

function expectUnique(values: readonly unknown[]) {
  expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([])
}

function present<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined)
}

function expectTexts(values: readonly string[] | undefined, count: number, length: number) {
  expect((values ?? []).length).toBeLessThanOrEqual(count)
  expectUnique(values ?? [])
  for (const value of values ?? []) {
    expect(value).toBe(value.trim())
    expect(value).not.toBe('')
    expect(value.length).toBeLessThanOrEqual(length)
  }
}

function expectUsableSlug(slug: string) {
  expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(slug).not.toBe('search')
  expect(slug).not.toMatch(/^[0-9a-f]{24}$/)
}

describe('platforms', () => {
  test('have unique names, slugs and source ids', () => {
    expect(seedPlatforms.length).toBeGreaterThanOrEqual(50)
    expectUnique(seedPlatforms.map((platform) => platform.name))
    expectUnique(seedPlatforms.map((platform) => platform.slug))
    expectUnique(present(seedPlatforms.map((platform) => platform.igdbId)))
    expectUnique(present(seedPlatforms.map((platform) => platform.vndbId)))
    expectUnique(present(seedPlatforms.map((platform) => platform.raConsoleId)))
    for (const platform of seedPlatforms) expectUsableSlug(platform.slug)
  })
})

describe('games', () => {
  test('are many, and known by year, company and other names', () => {
    const dated = seedGames.filter((game) => game.first_release !== undefined && game.companies.length > 0)

    expect(seedGames.length).toBeGreaterThanOrEqual(70)
    expect(dated.length).toBeGreaterThanOrEqual(60)
    expect(dated.length).toBeLessThan(seedGames.length)
    expect(seedGames.filter((game) => (game.alternative_names ?? []).length > 0).length).toBeGreaterThanOrEqual(45)
  })

  test('have unique slugs and source ids', () => {
    expectUnique(seedGames.map((game) => game.slug))
    expectUnique(present(seedGames.map((game) => game.igdbId)))
    expectUnique(present(seedGames.map((game) => game.vndbId)))
    expectUnique(present(seedGames.map((game) => game.hltbId)))
    expectUnique(present(seedGames.map((game) => game.raGame?.gameId)))
  })

  test.each(seedGames)('$slug is the dashed name, with the year only where the name is taken', (game) => {
    expectUsableSlug(game.slug)
    const plain = toSlug(game.name)
    if (game.slug === plain) return

    const year = new Date((game.first_release ?? Number.NaN) * 1000).getUTCFullYear()
    expect(game.slug).toBe(`${plain}-${year}`)
    expect(gameBySlug.get(plain)?.name).toBe(game.name)
    expect(gameBySlug.get(plain)?.first_release).toBeLessThan(game.first_release ?? 0)
  })

  test.each(seedGames)('$slug keeps to the bounds and the words of a catalogue game', (game) => {
    expectTexts([game.name], 1, 200)
    expectTexts(game.alternative_names, 20, 200)
    expectTexts([game.summary], 1, 5000)
    expectTexts(game.genres, 20, 80)
    expectTexts(game.themes, 20, 80)
    expectTexts(game.modes, 10, 80)
    expectTexts(game.player_perspectives, 10, 80)
    expectTexts(game.keywords, 100, 80)
    expectTexts(game.franchises, 10, 120)
    expectTexts(game.game_engines, 10, 120)
    expectTexts(game.websites, 20, 200)
    expectTexts(
      game.companies.map((company) => company.name),
      30,
      120,
    )
    expect(TYPES).toContain(game.type)
    if (game.status !== undefined) expect(STATUSES).toContain(game.status)
    expect(GENRES).toEqual(expect.arrayContaining(game.genres))
    expect(MODES).toEqual(expect.arrayContaining(game.modes))
    expect(PERSPECTIVES).toEqual(expect.arrayContaining(game.player_perspectives ?? []))
    expect(game.alternative_names ?? []).not.toContain(game.name)
    expect(game.genres.length * game.modes.length * game.platforms.length).toBeGreaterThan(0)
    expect(game.companies.some((company) => company.developer)).toBe(true)
    expect(game.companies.some((company) => company.publisher)).toBe(true)
    for (const company of game.companies) {
      expect(company.developer || company.publisher || company.porting || company.supporting).toBe(true)
    }
    for (const website of game.websites ?? []) expect(new URL(website).protocol).toBe('https:')
    if (game.vndbId !== undefined) expect(game.vndbId).toMatch(/^v[1-9]\d*$/)
    if (game.hltbId !== undefined) expect(game.hltbId).toMatch(/^[1-9]\d*$/)
  })

  test.each(seedGames)('$slug was released on a day of the past, or has none', (game) => {
    if (game.first_release === undefined) {
      expect(['Cancelled', undefined]).toContain(game.status)
      return
    }
    expect(game.first_release % 86_400).toBe(0)
    expect(game.first_release).toBeGreaterThanOrEqual(day('1980-01-01'))
    expect(game.first_release).toBeLessThan(day('2026-01-01'))
  })

  test.each(seedGames)('$slug names platforms, consoles and games that exist', (game) => {
    expectUnique(game.platforms)
    for (const platform of game.platforms) expect(platformSlugs).toContain(platform)
    if (game.raGame) {
      const console = seedPlatforms.find((platform) => platform.raConsoleId === game.raGame?.consoleId)
      expect(game.platforms).toContain(console?.slug)
    }
    if (game.parent !== undefined) expect(gameSlugs).toContain(game.parent)
    for (const [relation, slugs] of Object.entries(game.related ?? {})) {
      expect(RELATIONS).toContain(relation)
      expect(slugs.length).toBeLessThanOrEqual(50)
      expectUnique(slugs)
      expect(slugs).not.toContain(game.slug)
      for (const slug of slugs) expect(gameSlugs).toContain(slug)
    }
  })

  test('relations hold from both sides', () => {
    for (const game of seedGames) {
      const listedAs = LISTED_BY_PARENT[game.type]
      if (listedAs) {
        expect(game.parent, game.slug).toBeDefined()
        expect(gameBySlug.get(game.parent ?? '')?.related?.[listedAs], game.slug).toContain(game.slug)
      }
      for (const slug of game.related?.sequels ?? []) {
        expect(gameBySlug.get(slug)?.related?.prequels, slug).toContain(game.slug)
      }
      for (const slug of game.related?.prequels ?? []) {
        expect(gameBySlug.get(slug)?.related?.sequels, slug).toContain(game.slug)
      }
      for (const relation of Object.values(LISTED_BY_PARENT)) {
        for (const slug of (relation && game.related?.[relation]) ?? []) {
          expect(gameBySlug.get(slug)?.parent, slug).toBe(game.slug)
        }
      }
    }
  })

  test('dates are Unix seconds at UTC midnight', () => {
    expect(day('1970-01-02')).toBe(86_400)
    expect(gameBySlug.get('chrono-trigger')?.first_release).toBe(794_880_000)
  })
})

describe('characters', () => {
  test('have unique slugs', () => {
    expect(seedCharacters.length).toBeGreaterThanOrEqual(40)
    expectUnique(seedCharacters.map((character) => character.slug))
  })

  test.each(seedCharacters)('$slug keeps to the bounds and appears in games that exist', (character) => {
    expectUsableSlug(character.slug)
    expect(character.slug).toBe(toSlug(character.name))
    expectTexts([character.name], 1, 200)
    expectTexts(character.akas, 20, 200)
    expectTexts([character.description], 1, 5000)
    expectTexts(present([character.gender]), 1, 40)
    expectTexts(present([character.species]), 1, 80)
    expectTexts(present([character.countryName]), 1, 120)
    expect(character.akas ?? []).not.toContain(character.name)
    expect(character.games.length).toBeGreaterThan(0)
    expectUnique(character.games)
    for (const slug of character.games) expect(gameSlugs).toContain(slug)
  })
})

describe('conflicts', () => {
  test('are at least three of each source, each once', () => {
    for (const source of ['vndb', 'igdb', 'ra']) {
      expect(seedConflicts.filter((conflict) => conflict.source === source).length).toBeGreaterThanOrEqual(3)
    }
    expect(seedEntriesConflicts.length).toBeGreaterThanOrEqual(3)
    expectUnique(seedConflicts.map(({ source, externalId }) => `${source}/${externalId}`))
    expectUnique(seedEntriesConflicts.map(({ game }) => game))
  })

  test.each(seedConflicts)('$source/$externalId names platforms and games that exist, and an entry', (conflict) => {
    expect(conflict.externalId).toMatch(conflict.source === 'vndb' ? /^v[1-9]\d*$/ : /^[1-9]\d*$/)
    expectTexts([conflict.description], 1, 5000)
    expect(conflict.released ?? '2000').toMatch(/^\d{4}(-\d\d(-\d\d)?)?$/)
    expect(new URL(conflict.url).protocol).toBe('https:')
    expectUnique(conflict.candidates)
    expect(conflict.candidates.length).toBeGreaterThan(0)
    for (const slug of conflict.platforms) expect(platformSlugs).toContain(slug)
    for (const slug of conflict.candidates) expect(gameSlugs).toContain(slug)
  })

  test.each(seedEntriesConflicts)('$game is held against several entries, the best first', ({ game, entries }) => {
    expect(gameSlugs).toContain(game)
    expect(entries.length).toBeGreaterThan(1)
    expectUnique(entries.map(({ id }) => id))
    expect(entries.map(({ score }) => score)).toEqual(entries.map(({ score }) => score).sort((a, b) => b - a))
  })
})

describe('people', () => {
  test('are alice, bob and the admin carol, under names and a password that sign-up would take', () => {
    expect(seedUsers.map((user) => user.userName)).toEqual(DEMO_USER_NAMES)
    expect(DEMO_PASSWORD.length).toBeGreaterThanOrEqual(8)
    for (const user of seedUsers) {
      expect(user.userName).toMatch(/^[\p{L}\d_.-]{3,32}$/u)
      expect(user.email).toBe(`${user.userName}@example.com`)
      expect(user.description).not.toBe('')
      expect(user.roles.includes('admin')).toBe(user.userName === 'carol')
      expect(user.roles).toContain('user')
    }
  })

  test('have royal lists of existing games, each once', () => {
    expect(Object.keys(royalLists).sort()).toEqual([...userNames].sort())
    for (const slugs of Object.values(royalLists)) {
      expect(slugs.length).toBeGreaterThan(0)
      expect(slugs.length).toBeLessThanOrEqual(ROYAL_GAMES_LIMIT)
      expectUnique(slugs)
      for (const slug of slugs) expect(gameSlugs).toContain(slug)
    }
  })
})

describe('discussion', () => {
  test('shows threads, replies to replies, likes, a spoiler, a hidden comment and a placeholder', () => {
    expectUnique(seedComments.map((comment) => comment.key))
    expect(new Set(seedComments.map((comment) => comment.game)).size).toBeGreaterThanOrEqual(4)
    expect(seedComments.filter((comment) => comment.status === 'hidden')).toHaveLength(1)
    expect(seedComments.some((comment) => comment.isSpoiler)).toBe(true)
    expect(seedComments.some((comment) => commentByKey.get(comment.replyTo ?? '')?.replyTo)).toBe(true)

    const deleted = seedComments.filter((comment) => comment.status === 'deleted')
    expect(deleted).toHaveLength(1)
    expect(
      seedComments.some(
        (comment) => comment.replyTo === deleted[0]?.key && (comment.status ?? 'visible') === 'visible',
      ),
    ).toBe(true)
  })

  test.each(seedComments)('$key is by a user, on a game, and answers an older comment of that game', (comment) => {
    expect(userNames).toContain(comment.author)
    expect(gameSlugs).toContain(comment.game)
    expect(comment.minutesAgo).toBeGreaterThan(0)
    if (comment.replyTo === undefined) return

    const answered = commentByKey.get(comment.replyTo)
    expect(answered?.game).toBe(comment.game)
    expect(answered?.minutesAgo).toBeGreaterThan(comment.minutesAgo)
  })

  test.each(seedComments)('$key is liked by others only, each once', (comment) => {
    const likers = comment.likedBy ?? []
    expectUnique(likers)
    expect(likers).not.toContain(comment.author)
    for (const liker of likers) expect(userNames).toContain(liker)
    if ((comment.status ?? 'visible') !== 'visible') expect(likers).toEqual([])
  })

  test.each(seedComments)('$key has a body of allowed, closed tags, or none once deleted', (comment) => {
    if (comment.status === 'deleted') {
      expect(comment.body).toBe('')
      return
    }
    const open: string[] = []
    for (const [, closing, tag = '', attributes] of comment.body.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>/g)) {
      expect(COMMENT_TAGS).toContain(tag)
      expect(attributes).toBe('')
      if (closing) expect(open.pop()).toBe(tag)
      else if (tag !== 'br') open.push(tag)
    }
    expect(open).toEqual([])
    expect(comment.body.replace(/<[^>]*>/g, '').trim()).not.toBe('')
    expect(comment.body.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    expect(comment.body.length).toBeLessThanOrEqual(COMMENT_BODY_MAX)
  })
})

describe('requests', () => {
  const characterSlugs = new Set(seedCharacters.map((character) => character.slug))

  test('add and update games and characters; most wait, one was approved, one rejected with a reason', () => {
    const isUpdate = ({ target }: { target?: string }) => target !== undefined
    const kinds = seedRequests.map((request) => `${isUpdate(request) ? 'update' : 'add'} ${request.kind}`)
    const decisions = present(seedRequests.map(({ decision }) => decision))

    expect(new Set(kinds).size).toBe(4)
    expectUnique(seedRequests.map(({ key }) => key))
    expect(decisions.map(({ status }) => status).sort()).toEqual(['approved', 'rejected'])
    expect(decisions.find(({ status }) => status === 'rejected')?.reason).toMatch(/\w/)
  })

  test.each(seedRequests)('$key is what a user may send, by one of them, about entries that exist', (request) => {
    const { kind, target, payload, platforms, games, sources, note, author, decision, minutesAgo } = request
    const id = 'abcdefabcdefabcdefabcdef'
    const lists = {
      ...(platforms && { platformIds: platforms.map(() => id) }),
      ...(games && { gameIds: games.map(() => id) }),
    }
    const sent = {
      kind,
      action: target ? 'update' : 'add',
      targetId: id,
      payload: { ...payload, ...lists },
      sources,
      note,
    }

    expect(CreateRequestBody.parse(sent)).toMatchObject({ payload: sent.payload, sources })
    expect(userNames).toContain(author)
    for (const slug of platforms ?? []) expect(platformSlugs).toContain(slug)
    for (const slug of games ?? []) expect(gameSlugs).toContain(slug)
    for (const slug of present([target, decision?.result])) {
      expect(kind === 'game' ? gameSlugs : characterSlugs).toContain(slug)
    }
    if (target === undefined) {
      const names = kind === 'game' ? seedGames.map(({ name }) => name) : seedCharacters.map(({ name }) => name)
      expect(names).not.toContain(payload.name)
    }
    if (decision !== undefined) expect(decision.minutesAgo).toBeLessThan(minutesAgo)
    expect(decision?.by ?? 'carol').toBe('carol')
    for (const link of [payload.cover, payload.mugShot, payload.screenshots].flat()) {
      expect(link ?? 'https://example.com/').toMatch(/^https:\/\/example\.com\//)
    }
  })
})
