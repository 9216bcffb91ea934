import type { CreateIndexesOptions, IndexSpecification } from 'mongodb'

/** What the owner of a collection says of it: its name and its indexes. */
export interface CollectionFacts {
  name: string
  indexes: readonly (CreateIndexesOptions & { key: IndexSpecification })[]
}
