import type { ObjectId } from 'mongodb'
import type { GamePayload } from '#lib/contract/proposals/game-payload'
import type { RequestDecisionBody } from '#lib/contract/requests'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { ResolvedEntry } from '../../catalogue/entries/resolve-entries.ts'
import type { GameFields } from '../../catalogue/games/change-game.ts'
import type { GameFacts, Writes } from '../../catalogue/games/entry-changes.ts'
import type { RequestsDeps } from '../deps.ts'
import type { NewEntry } from './assert-no-duplicates.ts'

export type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'sources' | 'failpoint'>

export type PlanInput = Pick<ContentRequestDocument, 'action' | 'targetId' | 'payload'> &
  Pick<RequestDecisionBody, 'lockSync' | 'force'> & { signal: AbortSignal }

export type Planning = Pick<PlanInput, 'action' | 'targetId' | 'force' | 'signal'> & {
  /** Whole sentences for the admin, added on the way. */
  warnings: string[]
}

/** The ids of a payload that name entries of sources. */
export type SourceIds = Pick<GamePayload, 'igdbId' | 'vndbId' | 'hltbId' | 'retroachievements'>

/** An entry of IGDB, VNDB or HLTB that the game is linked to, and how much of it is written. */
export interface Link {
  resolved: ResolvedEntry
  writes: Writes
}

export type Achievements = NonNullable<GameDocument['retroachievements']>[number]

export interface Links {
  /** In the order in which they are written. */
  entries: readonly Link[]
  achievements: readonly Achievements[]
}

/** The picked fields of a payload, their references those that the catalogue has. */
export interface Proposal {
  /** Each replaces what is stored. */
  fields: GameFields
  developer: string | undefined
  publisher: string | undefined
  /** Added to what is stored. */
  relations: NonNullable<GameDocument['relatedGames']>
}

interface PlanNotes {
  /** Picked fields of which nothing is left to be written. */
  droppedFields: readonly string[]
  /** Whole sentences for the admin. */
  warnings: readonly string[]
}

export interface GamePlan extends Links, PlanNotes {
  kind: 'game'
  gameId: ObjectId
  draft: GameFacts | null
  /** A new game that is made by hand. */
  newEntry: NewEntry | null
  proposal: Proposal
  /** Those of the payload. */
  imageLinks: Pick<GamePayload, 'cover' | 'screenshots' | 'artworks'>
  lockSync: boolean
}

export interface CharacterPlan extends PlanNotes {
  kind: 'character'
  _id: ObjectId
  newEntry: NewEntry | null
  /** `gameIds` are added to the stored ones, every other field replaces its value. */
  fields: Partial<Omit<CharacterDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt'>>
  mugShotLink: string | undefined
}
