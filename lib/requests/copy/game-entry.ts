import type { PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import type { GamePlan } from '../plan/game-plan.ts'

/** Addresses of images that are stored already. */
export interface ProposedImages {
  cover: string | null
  screenshots: readonly string[]
  artworks: readonly string[]
}

/** A plan of a game after its images were copied; the links have the addresses of theirs among their fields. */
export interface GameEntry extends Omit<GamePlan, 'imageLinks'> {
  images: ProposedImages
  /** The characters of the IGDB entry, where there is one. */
  characters: PreparedCharacters | null
}
