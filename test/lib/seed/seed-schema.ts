import { z } from 'zod'
import { ConflictReason } from '../../../lib/contract/conflicts.ts'
import { RequestKind } from '../../../lib/contract/requests.ts'
import * as data from '../../../lib/seed/seed-data.ts'

const Id = z.number().int().positive()
const Digits = z.string().regex(/^[1-9]\d*$/)
const VndbId = z.string().regex(/^v[1-9]\d*$/)
const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .refine((slug) => slug !== 'search' && !/^[0-9a-f]{24}$/.test(slug), 'an address of its own needs another slug')
const Link = z.url({ protocol: /^https$/ })
const UserName = z.string().regex(/^[\p{L}\d_.-]{3,32}$/u)
const PartialDay = z.string().regex(/^\d{4}(-\d\d(-\d\d)?)?$/)
const text = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .refine((value) => value === value.trim(), 'spaces at an end')
const distinct = <T extends z.ZodType>(item: T) =>
  z.array(item).refine((list) => new Set(list).size === list.length, 'something twice')
const texts = (count: number, length: number) => distinct(text(length)).max(count)
const slugs = distinct(Slug)

const SeedPlatform = z.strictObject({
  name: text(200),
  slug: Slug,
  igdbId: Id.exactOptional(),
  vndbId: z
    .string()
    .regex(/^[a-z0-9]{2,3}$/)
    .exactOptional(),
  raConsoleId: Id.exactOptional(),
})

const Company = z
  .strictObject({
    name: text(120),
    developer: z.boolean().exactOptional(),
    publisher: z.boolean().exactOptional(),
    porting: z.boolean().exactOptional(),
    supporting: z.boolean().exactOptional(),
  })
  .refine(({ name: _, ...roles }) => Object.values(roles).some(Boolean), 'a company of no role')

const Relation = z.enum([
  'dlcs',
  'expansions',
  'remakes',
  'remasters',
  'ports',
  'similar_games',
  'sequels',
  'prequels',
  'same_series',
])

/** A game by slugs: `platforms` name entries of the platform list, `parent` and `related` name other games. */
const SeedGame = z.strictObject({
  name: text(200),
  slug: Slug,
  alternative_names: texts(20, 200).exactOptional(),
  type: z.enum([
    'Main Game',
    'DLC',
    'Expansion',
    'Standalone Expansion',
    'Bundle',
    'Remake',
    'Remaster',
    'Expanded Game',
    'Port',
    'Fan Disc',
    'Mod',
    'Episode',
  ]),
  status: z.enum(['Released', 'Early Access', 'Offline', 'Cancelled', 'Delisted']).exactOptional(),
  /** The day of the first release, stored in Unix seconds; absent while none is known. */
  first_release: z.iso
    .date()
    .transform((date) => Date.parse(date) / 1_000)
    .exactOptional(),
  summary: text(5_000),
  platforms: slugs.min(1),
  genres: texts(20, 80).min(1),
  themes: texts(20, 80).exactOptional(),
  modes: distinct(z.enum(['Single player', 'Multiplayer', 'Co-operative', 'Split screen'])).min(1),
  player_perspectives: distinct(
    z.enum(['First person', 'Third person', 'Bird view / Isometric', 'Side view', 'Text']),
  ).exactOptional(),
  franchises: texts(10, 120).exactOptional(),
  game_engines: texts(10, 120).exactOptional(),
  keywords: texts(100, 80).exactOptional(),
  companies: z.array(Company).max(30),
  igdbId: Id.exactOptional(),
  vndbId: VndbId.exactOptional(),
  hltbId: Digits.exactOptional(),
  raGame: z.strictObject({ gameId: Id, consoleId: Id }).exactOptional(),
  parent: Slug.exactOptional(),
  related: z.partialRecord(Relation, slugs.max(50)).exactOptional(),
  websites: z.array(Link).max(20).exactOptional(),
})

/** A character; `games` holds slugs of the game list. */
const SeedCharacter = z.strictObject({
  name: text(200),
  slug: Slug,
  akas: texts(20, 200).exactOptional(),
  games: slugs.min(1),
  gender: text(40).exactOptional(),
  species: text(80).exactOptional(),
  countryName: text(120).exactOptional(),
  description: text(5_000),
})

/** A demo user; all of them share one published password, so they exist only where nothing is at stake. */
const SeedUser = z.strictObject({
  userName: UserName,
  email: z.email(),
  description: text(1_000),
  roles: distinct(z.enum(['user', 'admin'])),
})

/**
 * A comment by key: `replyTo` names the comment answered, the thread follows from it. `minutesAgo` counts back from the
 * filling.
 */
const SeedComment = z.strictObject({
  key: Slug,
  game: Slug,
  author: UserName,
  body: z.string(),
  isSpoiler: z.boolean().exactOptional(),
  replyTo: Slug.exactOptional(),
  likedBy: distinct(UserName).exactOptional(),
  reportedBy: distinct(UserName).exactOptional(),
  status: z.enum(['visible', 'hidden', 'deleted']).exactOptional(),
  minutesAgo: z.number().positive(),
})

/**
 * A request by key. `target` is the slug of what an update is about, `result` of what an approval wrote. `platforms` and
 * `games` become `platformIds` and `gameIds` of the payload. `minutesAgo` counts back from the filling.
 */
const SeedRequest = z.strictObject({
  key: Slug,
  author: UserName,
  kind: RequestKind,
  target: Slug.exactOptional(),
  payload: z.record(z.string(), z.unknown()),
  platforms: slugs.exactOptional(),
  games: slugs.exactOptional(),
  sources: z.array(Link),
  note: z.string().exactOptional(),
  minutesAgo: z.number().positive(),
  decision: z
    .strictObject({
      status: z.enum(['approved', 'rejected']),
      by: UserName,
      result: Slug.exactOptional(),
      reason: text(1_000).exactOptional(),
      minutesAgo: z.number().positive(),
    })
    .exactOptional(),
})

/** An entry of a source that may be one of some games, by slugs. */
const SeedConflict = z.strictObject({
  source: z.enum(['vndb', 'igdb', 'ra']),
  externalId: z.union([VndbId, Digits]),
  name: text(200),
  originalName: text(200).exactOptional(),
  alternativeNames: texts(20, 200).exactOptional(),
  description: text(5_000),
  released: PartialDay.exactOptional(),
  developers: texts(30, 120).exactOptional(),
  platforms: slugs,
  lengthMinutes: Id.exactOptional(),
  url: Link,
  reason: ConflictReason,
  candidates: slugs.min(1),
})

/** A game, by its slug, that may be one of some entries of HowLongToBeat. Scores in points. */
const SeedEntriesConflict = z.strictObject({
  game: Slug,
  reason: ConflictReason,
  entries: z
    .array(
      z.strictObject({
        id: Digits,
        name: text(200),
        score: z.number().min(0).max(100),
        releaseYear: z.number().int(),
        platforms: z.array(text(80)),
        details: z.array(text(200)),
      }),
    )
    .min(2),
})

export type SeedGame = z.infer<typeof SeedGame>

/** The data as their schema reads them: each row is held by itself. */
export const seedPlatforms = z.array(SeedPlatform).parse(data.seedPlatforms)
export const seedGames = z.array(SeedGame).parse(data.seedGames)
export const seedCharacters = z.array(SeedCharacter).parse(data.seedCharacters)
export const seedUsers = z.array(SeedUser).parse(data.seedUsers)
export const seedComments = z.array(SeedComment).parse(data.seedComments)
export const seedRequests = z.array(SeedRequest).parse(data.seedRequests)
export const seedConflicts = z.array(SeedConflict).parse(data.seedConflicts)
export const seedEntriesConflicts = z.array(SeedEntriesConflict).parse(data.seedEntriesConflicts)
export const royalLists = z.record(UserName, slugs.min(1)).parse(data.royalLists)
