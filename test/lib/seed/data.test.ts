import anyAscii from 'any-ascii'
import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD, DEMO_USERS } from '../../../lib/auth/demo-users.ts'
import { COMMENT_BODY_MAX, ROYAL_GAMES_LIMIT } from '../../../lib/contract/limits.ts'
import { CreateRequestBody } from '../../../lib/contract/requests.ts'
import {
  royalLists,
  type SeedGame,
  seedCharacters,
  seedComments,
  seedConflicts,
  seedEntriesConflicts,
  seedGames,
  seedPlatforms,
  seedRequests,
  seedUsers,
} from './seed-schema.ts'

// The schema holds each row by itself; the rules here hold the rows together.

const LISTED_BY_PARENT: Partial<Record<SeedGame['type'], keyof NonNullable<SeedGame['related']>>> = {
  DLC: 'dlcs',
  Expansion: 'expansions',
  Remake: 'remakes',
  Remaster: 'remasters',
  Port: 'ports',
}
const COMMENT_TAGS = 'p br strong em s code pre h3 ul ol li blockquote a img'.split(' ')

const toSlug = (name: string) =>
  anyAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const slugsOf = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug)
const gameBySlug = new Map(seedGames.map((game) => [game.slug, game]))
const commentByKey = new Map(seedComments.map((comment) => [comment.key, comment]))
const [gameSlugs, platformSlugs, characterSlugs] = [seedGames, seedPlatforms, seedCharacters].map(slugsOf)
const userNames = seedUsers.map(({ userName }) => userName)

/** The rows that break a rule, so that a failure names them. */
const breaking = <T>(rows: readonly T[], holds: (row: T) => boolean) => rows.filter((row) => !holds(row))

const repeated = (values: readonly unknown[]) =>
  values.filter((value, index) => value !== undefined && values.indexOf(value) !== index)

describe('keys', () => {
  test.each([
    ['names of platforms', seedPlatforms.map(({ name }) => name)],
    ['slugs of platforms', platformSlugs],
    ['slugs of games', gameSlugs],
    ['slugs of characters', characterSlugs],
    ['keys of comments', seedComments.map(({ key }) => key)],
    ['keys of requests', seedRequests.map(({ key }) => key)],
    ['entries of conflicts', seedConflicts.map(({ source, externalId }) => `${source}/${externalId}`)],
    ['games of conflicts', seedEntriesConflicts.map(({ game }) => game)],
    ['IGDB ids of platforms', seedPlatforms.map(({ igdbId }) => igdbId)],
    ['VNDB ids of platforms', seedPlatforms.map(({ vndbId }) => vndbId)],
    ['RetroAchievements ids of platforms', seedPlatforms.map(({ raConsoleId }) => raConsoleId)],
    ['IGDB ids of games', seedGames.map(({ igdbId }) => igdbId)],
    ['VNDB ids of games', seedGames.map(({ vndbId }) => vndbId)],
    ['HLTB ids of games', seedGames.map(({ hltbId }) => hltbId)],
    ['RetroAchievements ids of games', seedGames.map(({ raGame }) => raGame?.gameId)],
  ])('%s are unique', (_key, values = []) => {
    expect(values.length).toBeGreaterThan(2)
    expect(repeated(values)).toEqual([])
  })

  test.each([
    ['platforms of games', seedGames.flatMap(({ platforms }) => platforms), platformSlugs],
    ['platforms of requests', seedRequests.flatMap(({ platforms = [] }) => platforms), platformSlugs],
    ['platforms of conflicts', seedConflicts.flatMap(({ platforms }) => platforms), platformSlugs],
    ['parents', seedGames.flatMap(({ parent = [] }) => parent), gameSlugs],
    ['related games', seedGames.flatMap(({ related = {} }) => Object.values(related).flat()), gameSlugs],
    ['games of characters', seedCharacters.flatMap(({ games }) => games), gameSlugs],
    ['games of requests', seedRequests.flatMap(({ games = [] }) => games), gameSlugs],
    ['games of comments', seedComments.map(({ game }) => game), gameSlugs],
    ['candidates', seedConflicts.flatMap(({ candidates }) => candidates), gameSlugs],
    ['games of entries', seedEntriesConflicts.map(({ game }) => game), gameSlugs],
    ['royal games', Object.values(royalLists).flat(), gameSlugs],
    ['authors of comments', seedComments.map(({ author }) => author), userNames],
    ['likers', seedComments.flatMap(({ likedBy = [] }) => likedBy), userNames],
    ['authors of requests', seedRequests.map(({ author }) => author), userNames],
    ['owners of royal lists', Object.keys(royalLists), userNames],
  ])('%s exist', (_reference, named, known = []) => {
    expect(named.length).toBeGreaterThan(0)
    expect(breaking<string>(named, (each) => known.includes(each))).toEqual([])
  })
})

test('a slug is the dashed name, with the year only where the name is taken', () => {
  const isDerived = ({ name, slug, first_release = Number.NaN }: SeedGame) => {
    const plain = toSlug(name)
    const namesake = gameBySlug.get(plain)
    const year = new Date(first_release * 1_000).getUTCFullYear()
    return slug === plain || (slug === `${plain}-${year}` && (namesake?.first_release ?? Number.NaN) < first_release)
  }
  expect(breaking(seedGames, isDerived)).toEqual([])
  expect(breaking(seedCharacters, ({ name, slug }) => slug === toSlug(name))).toEqual([])
})

test('games are many, released on a day of the past or on none, with developer, publisher and console', () => {
  const day = (date: string) => Date.parse(date) / 1_000
  const isPast = ({ first_release: date, status }: SeedGame) =>
    date === undefined
      ? [undefined, 'Cancelled'].includes(status)
      : date >= day('1980-01-01') && date < day('2026-01-01')
  const isOnConsole = ({ raGame, platforms }: SeedGame) =>
    raGame === undefined ||
    seedPlatforms.some(({ raConsoleId, slug }) => raConsoleId === raGame.consoleId && platforms.includes(slug))

  expect(seedPlatforms.length).toBeGreaterThanOrEqual(50)
  expect(seedGames.length).toBeGreaterThanOrEqual(70)
  expect(seedCharacters.length).toBeGreaterThanOrEqual(40)
  expect(seedGames.filter(({ alternative_names = [] }) => alternative_names.length > 0).length).toBeGreaterThan(44)
  expect(seedGames.some(({ first_release }) => first_release === undefined)).toBe(true)
  expect(gameBySlug.get('chrono-trigger')?.first_release).toBe(794_880_000)
  expect(breaking(seedGames, isPast)).toEqual([])
  expect(breaking(seedGames, isOnConsole)).toEqual([])
  expect(breaking(seedGames, ({ companies }) => companies.some(({ developer }) => developer))).toEqual([])
  expect(breaking(seedGames, ({ companies }) => companies.some(({ publisher }) => publisher))).toEqual([])
  expect(breaking(seedGames, ({ name, alternative_names = [] }) => !alternative_names.includes(name))).toEqual([])
  expect(breaking(seedCharacters, ({ name, akas = [] }) => !akas.includes(name))).toEqual([])
})

test('relations hold from both sides', () => {
  const relatedBy = (slug: string | undefined, relation: keyof NonNullable<SeedGame['related']>) =>
    gameBySlug.get(slug ?? '')?.related?.[relation] ?? []
  const isMutual = ({ slug, type, parent, related = {} }: SeedGame) => {
    const listed = LISTED_BY_PARENT[type]
    return (
      !Object.values(related).flat().includes(slug) &&
      (listed === undefined || relatedBy(parent, listed).includes(slug)) &&
      (related.sequels ?? []).every((each) => relatedBy(each, 'prequels').includes(slug)) &&
      (related.prequels ?? []).every((each) => relatedBy(each, 'sequels').includes(slug)) &&
      Object.values(LISTED_BY_PARENT).every((list) =>
        (related[list] ?? []).every((each) => gameBySlug.get(each)?.parent === slug),
      )
    )
  }
  expect(breaking(seedGames, isMutual)).toEqual([])
})

test('conflicts are at least three of each source, entries the best first', () => {
  const sources = seedConflicts.map(({ source }) => source)
  const isVndb = (id: string) => id.startsWith('v')

  for (const source of ['vndb', 'igdb', 'ra'] as const) {
    expect(sources.filter((each) => each === source).length).toBeGreaterThanOrEqual(3)
  }
  expect(seedEntriesConflicts.length).toBeGreaterThanOrEqual(3)
  expect(breaking(seedConflicts, ({ source, externalId }) => isVndb(externalId) === (source === 'vndb'))).toEqual([])
  for (const { entries } of seedEntriesConflicts) {
    expect(repeated(entries.map(({ id }) => id))).toEqual([])
    expect(entries).toEqual(entries.toSorted((a, b) => b.score - a.score))
  }
})

test('users are alice, bob and the admin carol, under a password that sign-up would take, with a royal list each', () => {
  expect(seedUsers.map(({ email, userName }) => [email, userName])).toEqual([...DEMO_USERS])
  expect(DEMO_PASSWORD.length).toBeGreaterThanOrEqual(8)
  expect(breaking(seedUsers, ({ userName, email }) => email === `${userName}@example.com`)).toEqual([])
  expect(seedUsers.filter(({ roles }) => roles.includes('admin')).map(({ userName }) => userName)).toEqual(['carol'])
  expect(Object.keys(royalLists).sort()).toEqual([...userNames].sort())
  expect(breaking(Object.values(royalLists), (list) => list.length <= ROYAL_GAMES_LIMIT)).toEqual([])
})

describe('discussion', () => {
  const isVisible = ({ status = 'visible' }: { status?: string }) => status === 'visible'

  test('shows threads, replies to replies, likes, a spoiler, a hidden comment and a placeholder', () => {
    const deleted = seedComments.filter(({ status }) => status === 'deleted')

    expect(new Set(seedComments.map(({ game }) => game)).size).toBeGreaterThanOrEqual(4)
    expect(seedComments.filter(({ status }) => status === 'hidden')).toHaveLength(1)
    expect(seedComments.some(({ isSpoiler }) => isSpoiler)).toBe(true)
    expect(seedComments.some(({ replyTo }) => commentByKey.get(replyTo ?? '')?.replyTo)).toBe(true)
    expect(deleted).toHaveLength(1)
    expect(seedComments.some((comment) => comment.replyTo === deleted[0]?.key && isVisible(comment))).toBe(true)
  })

  test('answers older comments of the same game', () => {
    const isLater = ({ replyTo, game, minutesAgo }: (typeof seedComments)[number]) => {
      const answered = commentByKey.get(replyTo ?? '')
      return replyTo === undefined || (answered?.game === game && answered.minutesAgo > minutesAgo)
    }
    expect(breaking(seedComments, isLater)).toEqual([])
  })

  test('is liked by others only, where it can be seen', () => {
    expect(breaking(seedComments, ({ author, likedBy = [] }) => !likedBy.includes(author))).toEqual([])
    expect(breaking(seedComments, (comment) => isVisible(comment) || (comment.likedBy ?? []).length === 0)).toEqual([])
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
  test('add and update games and characters; most wait, one was approved, one rejected with a reason', () => {
    const kinds = seedRequests.map(({ kind, target }) => `${target === undefined ? 'add' : 'update'} ${kind}`)
    const decisions = seedRequests.flatMap(({ decision = [] }) => decision)

    expect(new Set(kinds).size).toBe(4)
    expect(decisions.map(({ status }) => status).sort()).toEqual(['approved', 'rejected'])
    expect(decisions.find(({ status }) => status === 'rejected')?.reason).toMatch(/\w/)
  })

  test.each(seedRequests)('$key is what a user may send, by one of them, about entries that exist', (request) => {
    const { kind, target, payload, platforms, games, sources, note, decision, minutesAgo } = request
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
    for (const slug of [target ?? [], decision?.result ?? []].flat()) {
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
