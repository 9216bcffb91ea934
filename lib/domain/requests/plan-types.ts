import type { ObjectId } from 'mongodb'
import type { GamePayload, RequestDecisionBody } from '../../contract/index.ts'
import type { CharacterDocument } from '../../infrastructure/db/collections/characters.ts'
import type { ContentRequestDocument } from '../../infrastructure/db/collections/content-requests.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import type { PreparedCharacters } from '../catalogue/characters/copy-mug-shots.ts'
import type { ResolvedEntry } from '../catalogue/entries/resolve-entries.ts'
import type { GameFields } from '../catalogue/games/change-game.ts'
import type { GameFacts, Writes } from '../catalogue/games/entry-changes.ts'
import type { NewEntry } from './assert-no-duplicates.ts'
import type { RequestsDeps } from './deps.ts'

/** An entry of a source that the game is linked to, and how much of it is written. */
export interface Link {
  resolved: ResolvedEntry
  writes: Writes
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

interface PlanWarnings {
  /** Picked fields of which nothing is left to be written. */
  droppedFields: readonly string[]
  warnings: readonly string[]
}

export interface GamePlan extends PlanWarnings {
  kind: 'game'
  gameId: ObjectId
  draft: GameFacts | null
  newEntry: NewEntry | null
  entries: readonly Link[]
  proposal: Proposal
  imageLinks: Pick<GamePayload, 'cover' | 'screenshots' | 'artworks'>
  lockSync: boolean
}

export interface CharacterPlan extends PlanWarnings {
  kind: 'character'
  _id: ObjectId
  newEntry: NewEntry | null
  /** `gameIds` are added to the stored ones, every other field replaces its value. */
  fields: Partial<Omit<CharacterDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt'>>
  mugShotLink: string | undefined
}

/** What an approval is about to write. Nothing is written or stored yet. */
export type Plan = GamePlan | CharacterPlan

/** A plan of a game after its images were copied; the links have the keys of theirs among their fields. */
export interface GameEntry extends Omit<GamePlan, 'imageLinks'> {
  /** Keys of the images of the payload, without those that the game has already. */
  images: Pick<GameFields, 'cover' | 'screenshots' | 'artworks'>
  /** The characters of the one source that knows any, where it was read. */
  characters: PreparedCharacters | null
}

export type CharacterEntry = Omit<CharacterPlan, 'mugShotLink'>

export interface CopiedPlan {
  entry: GameEntry | CharacterEntry
  failedLinks: readonly string[]
}

export type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'sources' | 'failpoint'>

export type PlanInput = Pick<ContentRequestDocument, 'action' | 'targetId' | 'payload'> &
  Pick<RequestDecisionBody, 'lockSync' | 'force'> & { signal: AbortSignal }

export type Planning = Pick<PlanInput, 'action' | 'targetId' | 'force' | 'signal'> & {
  warnings: string[]
}

/** The fields of a payload that name entries of sources. */
export type SourceIds = Pick<GamePayload, 'igdbId' | 'vndbId' | 'hltbId' | 'retroachievements'>
