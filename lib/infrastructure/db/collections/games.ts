import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import type { GameRelation } from '#lib/contract/proposals/entry-fields'
import type { FieldValue } from '#lib/contract/proposals/field-schemas'
import type { GAME_FIELDS, GameFieldsMerged } from '#lib/contract/proposals/game-fields'
import { id, orAbsent, type ReadBy, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'
import { NAME_LISTS, type NameKeys, nameKeyIndexes } from './name-keys.ts'

/** The fields that a proposal replaces, as they are stored. */
type ReplacedFields = {
  [K in GameFieldsMerged<'copy' | 'resolve'>]?: FieldValue<(typeof GAME_FIELDS)[K]>
}

const readable = {
  _id: id,
  // A game without a name still gets its keys and takes changes.
  name: z.string().catch(''),
  slug: z.string(),
  cover: orAbsent(z.string()),
  platformIds: orAbsent(readableArray(id)),
  createdAt: orAbsent(z.date()),
  updatedAt: orAbsent(z.date()),
}

export interface GameDocument
  extends ReadBy<typeof readable>,
    NameKeys,
    Omit<ReplacedFields, keyof typeof readable | 'companies' | 'multiplayer_modes' | 'release_dates'> {
  /** Derived from the names: under each of them lie the games that one title may mean. */
  matchKeys?: string[]
  release_dates?: (Record<'date' | 'month' | 'year' | 'region', number> & { human: string; platformId: ObjectId })[]
  /** `key` is derived: the normalised name. */
  companies?: (FieldValue<(typeof GAME_FIELDS)['companies']>[number] & { key?: string })[]
  multiplayer_modes?: Record<string, unknown>[]
  relatedGames?: { parent_game?: ObjectId } & Partial<Record<GameRelation, ObjectId[]>>
  screenshots?: string[]
  artworks?: string[]
  /** Fields, and relations as `relatedGames.<relation>`, that approvals wrote: a parse in the background leaves them. */
  curatedFields?: string[]
  isCustom?: boolean
  isStopParsing?: boolean
  igdb?: { gameId: number } & Record<string, unknown>
  vndb?: { vnId: string } & Record<string, unknown>
  hltb?: { hltbId: string } & Record<string, unknown>
  retroachievements?: ({ gameId: number; consoleId: number } & Record<string, unknown>)[]
  createdAt: Date
  updatedAt: Date
}

export const games: CollectionDefinition<GameDocument> = {
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
  lists: [...NAME_LISTS, 'matchKeys', 'companies.key', 'retroachievements.gameId'],
  readable,
}
