import { z } from 'zod'
import { entryName, number, numeric, text, words } from '../facts.ts'

export const RaGame = z.object({
  ID: numeric,
  Title: entryName,
  ConsoleID: numeric,
  ConsoleName: words,
  ImageIcon: text,
  ImageBoxArt: text,
  Developer: words,
  Released: text,
  ReleasedAtGranularity: text,
  NumAchievements: number,
})
export type RaGame = z.infer<typeof RaGame>

/** Describes an answer about one game: an id without a game is answered with an empty list. */
export const RaAnswer = z.union([z.looseObject({ ID: numeric.nullable() }), z.tuple([])])
