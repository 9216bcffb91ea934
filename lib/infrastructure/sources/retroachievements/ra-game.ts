import { z } from 'zod'
import { entryName, name, number, numeric, text } from '../facts.ts'

export const RaGame = z.object({
  ID: numeric,
  Title: entryName,
  ConsoleID: numeric,
  ConsoleName: name,
  ImageIcon: text,
  ImageBoxArt: text,
  Developer: name,
  Released: text,
  ReleasedAtGranularity: text,
  NumAchievements: number,
})
export type RaGame = z.infer<typeof RaGame>

/** Describes an answer about one game: an id without a game is answered with an empty list. */
export const RaAnswer = z.union([z.looseObject({ ID: numeric.nullable() }), z.tuple([])])
