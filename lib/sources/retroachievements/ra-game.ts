import { z } from 'zod'

/** What is read of a game, as it comes. */
export const RaGame = z.object({
  ID: z.number(),
  Title: z.string().trim().min(1),
  ConsoleID: z.number(),
  ConsoleName: z.string(),
  ImageIcon: z.string().nullish(),
  ImageBoxArt: z.string().nullish(),
  Developer: z.string().nullish(),
  Released: z.string().nullish(),
  ReleasedAtGranularity: z.string().nullish(),
  NumAchievements: z.number(),
})
export type RaGame = z.infer<typeof RaGame>

/** An id without a game is answered with an empty list. */
export const RaAnswer = z.union([RaGame, z.tuple([])])
