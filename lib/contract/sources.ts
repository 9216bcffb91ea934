import { z } from 'zod'

export const Source = z.enum(['vndb', 'igdb', 'hltb', 'ra'])
export type Source = z.infer<typeof Source>

export const SOURCE_TITLES = {
  vndb: 'VNDB',
  igdb: 'IGDB',
  hltb: 'HLTB',
  ra: 'RetroAchievements',
} as const satisfies Record<Source, string>

const NUMBER = /^[1-9]\d{0,9}$/

/** The forms of the ids of each source, without leading zeros. An id of another form is never requested. */
export const ID_FORMS: Record<Source, RegExp> = {
  igdb: NUMBER,
  /** The source refuses a whole request when one id is longer. */
  vndb: /^v[1-9]\d{0,6}$/,
  hltb: NUMBER,
  ra: NUMBER,
}

interface SourcePolicy {
  /** `games`: a conflict holds an entry of the source against games; `entries`: a game against entries of the source. */
  direction: 'games' | 'entries'
  /** True when a skipped conflict becomes a new game, false when its entry stays without one. */
  skipCreatesGame: boolean
  /** Entries that one request to the source can read. */
  batchSize: number
  /** True when at most one game may be linked to an entry, by a unique index. */
  isExclusive: boolean
  /** Entries that a game may be linked to. */
  entriesPerGame: 'one' | 'one-a-console'
  /** True when games from VNDB may be linked. */
  linksVndbGames: boolean
  /**
   * Fields of a game that a parse writes: `all` every field that the source has (only the empty ones of a game made by
   * hand), `empty` the empty ones, `none` only the part of the source.
   */
  writes: 'all' | 'empty' | 'none'
  /** The field of a platform that holds the source's id of it. */
  platformField: 'igdbId' | 'vndbId' | 'raConsoleId' | null
}

/** The differences between the sources. No other place compares a source with a name. */
export const SOURCE_POLICIES = {
  vndb: {
    direction: 'games',
    skipCreatesGame: true,
    batchSize: 100,
    isExclusive: true,
    entriesPerGame: 'one',
    linksVndbGames: true,
    writes: 'empty',
    platformField: 'vndbId',
  },
  igdb: {
    direction: 'games',
    skipCreatesGame: true,
    batchSize: 50,
    isExclusive: true,
    entriesPerGame: 'one',
    linksVndbGames: false,
    writes: 'all',
    platformField: 'igdbId',
  },
  hltb: {
    direction: 'entries',
    skipCreatesGame: false,
    batchSize: 1,
    isExclusive: false,
    entriesPerGame: 'one',
    linksVndbGames: true,
    writes: 'none',
    platformField: null,
  },
  ra: {
    direction: 'games',
    skipCreatesGame: false,
    batchSize: 1,
    isExclusive: false,
    entriesPerGame: 'one-a-console',
    linksVndbGames: true,
    writes: 'none',
    platformField: 'raConsoleId',
  },
} as const satisfies Record<Source, SourcePolicy>
