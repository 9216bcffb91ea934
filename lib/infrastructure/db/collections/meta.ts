import type { CollectionDefinition } from './collection-definition.ts'

/** What is true of the whole database: the form of its documents (`schema`), and a restore under way (`restore`). */
export interface MetaDocument {
  _id: 'schema' | 'restore'
  /** The schema, from 1; see `migrate.ts`. */
  version?: number
  /** The release that started last. */
  app?: string
  /** SHA-256 of the file that is being restored. */
  hash?: string
  /** True once everything that a start had stored is gone, so that every document is the file's. */
  isCleared?: boolean
}

export const meta: CollectionDefinition<MetaDocument> = { name: 'meta', indexes: [], isTransient: true }
