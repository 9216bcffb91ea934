import type { CollectionDefinition } from './collection-definition.ts'

/** What is true of the whole database: the form of its documents (`schema`), and a restore under way (`restore`). */
export interface MetaDocument {
  _id: 'schema' | 'restore'
  /** The schema, from 1; see `migrate.ts`. */
  version?: number
  app?: string
  hash?: string
  /** True once everything that a start had stored is gone, so that every document is the file's. */
  isCleared?: boolean
}

export const meta: CollectionDefinition<MetaDocument> = { name: 'meta', indexes: [], isTransient: true }
