import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { stringsIn } from '../../names/normalise-name.ts'

export const listImages = ({ cover, screenshots, artworks }: Partial<GameDocument>): string[] =>
  stringsIn([cover, ...stringsIn(screenshots), ...stringsIn(artworks)])
