import type { ObjectId } from 'mongodb'
import type { PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import type { GamePayload } from '../../contract/game-payload.ts'
import type { GameDocument } from '../../db/collections/games.ts'
import type { ResolvedEntry } from '../../entries/resolve-entries.ts'
import type { GameFields } from '../../games/change-game.ts'
import type { GameFacts, Writes } from '../../games/entry-changes.ts'

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

/** The images of a payload and of its sources, after they were copied into the storage. */
export interface CopiedImages {
  images: ProposedImages
  /** The links, with the addresses of their copied images among their fields. */
  entries: readonly Link[]
  /** The characters of the IGDB entry, where there is one. */
  characters: PreparedCharacters | null
}

/** Everything that an approval writes, its images copied already. */
export interface GamePlan extends Pick<Links, 'achievements'>, CopiedImages {
  gameId: ObjectId
  /** A new game as it begins; null for a game of the catalogue. */
  draft: GameFacts | null
  proposal: Proposal
  lockSync: boolean
}
