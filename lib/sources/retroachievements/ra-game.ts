import { z } from 'zod'
import { numeric } from '../numeric.ts'

export const RaGame = z.object({
  ID: numeric,
  Title: z.string().trim().min(1),
  ConsoleID: numeric,
  ConsoleName: z.string().nullish(),
  ImageIcon: z.string().nullish(),
  ImageBoxArt: z.string().nullish(),
  Developer: z.string().nullish(),
  Released: z.string().nullish(),
  ReleasedAtGranularity: z.string().nullish(),
  NumAchievements: numeric.nullish(),
})
export type RaGame = z.infer<typeof RaGame>

/** An id without a game is answered with an empty list. */
export const RaAnswer = z.union([RaGame, z.tuple([])])
