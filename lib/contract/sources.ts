import { z } from 'zod'

/** An outside source of catalogue entries. */
export const Source = z.enum(['vndb', 'igdb', 'hltb', 'ra'])
export type Source = z.infer<typeof Source>

/** The name of each source as people read it. */
export const SOURCE_TITLES = {
  vndb: 'VNDB',
  igdb: 'IGDB',
  hltb: 'HLTB',
  ra: 'RetroAchievements',
} as const satisfies Record<Source, string>
