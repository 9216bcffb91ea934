import type { GameDocument } from '../db/collections/games.ts'
import { stringsIn } from '../names/normalise-name.ts'

export const listImages = ({ cover, screenshots, artworks }: Partial<GameDocument>): string[] =>
  stringsIn([cover, ...stringsIn(screenshots), ...stringsIn(artworks)])
