import type { GameDocument } from '../db/collections/games.ts'
import { stringsIn } from '../names/normalise-name.ts'

/** The addresses of all images that a game has. */
export const listImages = ({ cover, screenshots, artworks }: Partial<GameDocument>): string[] =>
  stringsIn([cover, ...stringsIn(screenshots), ...stringsIn(artworks)])
