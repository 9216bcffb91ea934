import type { ObjectId } from 'mongodb'
import type { GameRelation } from '../../contract/catalogue.ts'
import type { Source } from '../../contract/sources.ts'
import type { CollectionFacts } from './collection-facts.ts'
import { type NameKeys, nameKeyIndexes } from './name-keys.ts'

interface GameCompany {
  name: string
  /** Derived: the normalised name. */
  key?: string
  developer?: boolean
  publisher?: boolean
  porting?: boolean
  supporting?: boolean
}

export interface GameDocument extends NameKeys {
  _id: ObjectId
  name: string
  slug: string
  alternative_names?: string[]
  /** Derived from the names: under each of them lie the games that one title may mean. */
  matchKeys?: string[]
  type?: string
  status?: string
  versionTitle?: string
  summary?: string
  storyline?: string
  /** Unix seconds. */
  first_release?: number
  release_dates?: {
    date: number
    human: string
    month: number
    year: number
    platformId: ObjectId
    region: number
  }[]
  platformIds?: ObjectId[]
  genres?: string[]
  modes?: string[]
  themes?: string[]
  keywords?: string[]
  franchises?: string[]
  game_engines?: string[]
  player_perspectives?: string[]
  languages?: string[]
  companies?: GameCompany[]
  multiplayer_modes?: Record<string, unknown>[]
  ageRatings?: { organization: string; rating: string; synopsis?: string }[]
  websites?: string[]
  videos?: string[]
  externalPages?: { uid: string; name?: string; url?: string }[]
  relatedGames?: { parent_game?: ObjectId } & Partial<Record<GameRelation, ObjectId[]>>
  cover?: string
  screenshots?: string[]
  artworks?: string[]
  isCustom?: boolean
  isStopParsing?: boolean
  igdb?: { gameId: number } & Record<string, unknown>
  vndb?: { vnId: string } & Record<string, unknown>
  hltb?: { hltbId: string } & Record<string, unknown>
  retroachievements?: ({ gameId: number; consoleId: number } & Record<string, unknown>)[]
  /** Fencing tokens by source: of the lease under which the background writer last claimed or wrote the game. */
  fencingTokens?: Partial<Record<Source, number>>
  /** The tokens as release 1.0 stored them. */
  fences?: Partial<Record<Source, number>>
  createdAt: Date
  updatedAt: Date
}

export const games: CollectionFacts<GameDocument> = {
  name: 'games',
  indexes: [
    { key: { slug: 1 }, name: 'slug_unique', unique: true },
    ...nameKeyIndexes,
    // The best known first, and their ids: the matcher reads no document to find whom to compare.
    { key: { matchKeys: 1, searchRank: -1, _id: 1 } },
    { key: { 'companies.key': 1 } },
    // `$gt` is implied by a query for a value, as `$type` is not; the query would read the whole collection.
    {
      key: { 'igdb.gameId': 1 },
      name: 'igdb_entry',
      unique: true,
      partialFilterExpression: { 'igdb.gameId': { $gt: 0 } },
    },
    {
      key: { 'vndb.vnId': 1 },
      name: 'vndb_entry',
      unique: true,
      partialFilterExpression: { 'vndb.vnId': { $gt: '' } },
    },
    { key: { 'hltb.hltbId': 1 } },
    { key: { 'retroachievements.gameId': 1 } },
  ],
}
