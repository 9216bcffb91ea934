import type { ObjectId } from 'mongodb'
import type { PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import type { GamePayload } from '../../contract/requests.ts'
import type { GameDocument } from '../../db/collections/games.ts'
import type { ResolvedEntry } from '../../entries/resolve-entries.ts'
import type { GameFields } from '../../games/change-game.ts'
import type { GameFacts, Writes } from '../../games/entry-changes.ts'

/** The ids of a payload that name entries of sources. */
export type SourceIds = Pick<GamePayload, 'igdbId' | 'vndbId' | 'hltbId' | 'retroachievements'>

/** An entry of IGDB, VNDB or HLTB that the game is linked to, and what of it is written. */
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

/** Addresses of images that are stored already. */
export interface ProposedImages {
  cover: string | null
  screenshots: readonly string[]
  artworks: readonly string[]
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

/** All that an approval writes, known before anything of the catalogue is written. */
export interface GamePlan extends Links {
  gameId: ObjectId
  /** What a new game begins with; null for a game of the catalogue. */
  draft: GameFacts | null
  proposal: Proposal
  images: ProposedImages
  lockSync: boolean
  /** Those of the IGDB entry, where there is one. */
  characters: PreparedCharacters | null
}
