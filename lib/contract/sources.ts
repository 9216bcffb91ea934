import { z } from 'zod'

export const Source = z.enum(['vndb', 'igdb', 'hltb', 'ra'])
export type Source = z.infer<typeof Source>

export const SOURCE_TITLES = {
  vndb: 'VNDB',
  igdb: 'IGDB',
  hltb: 'HLTB',
  ra: 'RetroAchievements',
} as const satisfies Record<Source, string>
