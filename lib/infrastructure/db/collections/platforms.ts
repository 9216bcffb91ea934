import { z } from 'zod'
import { id, orAbsent, type ReadBy } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'
import { ANY_CASE } from './users.ts'

const readable = {
  _id: id,
  name: z.string(),
  slug: z.string(),
  igdbId: orAbsent(z.number()),
  vndbId: orAbsent(z.string()),
  raConsoleId: orAbsent(z.number()),
}

export interface PlatformDocument extends ReadBy<typeof readable> {
  createdAt: Date
  updatedAt: Date
}

export const platforms: CollectionDefinition<PlatformDocument> = {
  name: 'platforms',
  indexes: [
    { key: { slug: 1 }, name: 'slug_unique', unique: true },
    { key: { igdbId: 1 } },
    { key: { vndbId: 1 } },
    { key: { raConsoleId: 1 } },
    { key: { name: 1, slug: 1 }, name: 'name_any_case', collation: ANY_CASE },
  ],
  readable,
}
