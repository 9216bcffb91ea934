import { z } from 'zod'

/** An outside source of catalogue entries. */
export const Source = z.enum(['vndb', 'igdb', 'hltb', 'ra'])
export type Source = z.infer<typeof Source>
