import type { CollectionDefinition } from './collection-definition.ts'

/** Facts of the whole database: the form of its documents (`schema`), and a restore under way (`restore`). */
export interface MetaDocument {
  _id: 'schema' | 'restore'
  /** The schema, from 1; see `migrate.ts`. */
  version?: number
  app?: string
  hash?: string
  /** True once the restore has deleted everything that a start had stored, so that every document comes from the file. */
  isCleared?: boolean
}

export const meta: CollectionDefinition<MetaDocument> = { name: 'meta', indexes: [], isTransient: true }
