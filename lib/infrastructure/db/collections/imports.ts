import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

/** Changes when an import ends that has stored something: every instance then lets its clients read again. */
export const IMPORT_END = 'end'

/** Ids of documents that an import has stored or found, and never imports again. `IMPORT_END` has the number of batches at an end. */
interface ImportDocument {
  _id: ObjectId | typeof IMPORT_END
  from?: string
  ids?: ObjectId[]
  batches?: number
}

export const imports: CollectionDefinition<ImportDocument> = {
  name: 'imports',
  indexes: [{ key: { ids: 1, from: 1 } }],
  lists: ['ids'],
}
