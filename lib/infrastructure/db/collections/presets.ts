import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { id, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

/** `_id` is the user's: presets are large, and the user is read all the time. */
export interface PresetsDocument {
  _id: ObjectId
  /** A text, or a list of games, in the form in which it was saved. */
  presets: { name: string; preset: string | ObjectId[] }[]
  createdAt: Date
  updatedAt: Date
}

export const presets: CollectionDefinition<PresetsDocument> = {
  name: 'presets',
  indexes: [],
  readable: { _id: id, presets: readableArray(z.looseObject({ name: z.string() })).catch([]) },
}
