import type { Document, IndexDescription, IndexDirection } from 'mongodb'
import type { z } from 'zod'

/**
 * An index. A unique one has a name of its own, so that it can stand beside one with the same fields that another program
 * made, and leaves out (`partialFilterExpression`) documents that have no value; null is one to `sparse`.
 */
export interface IndexDefinition extends IndexDescription {
  key: Record<string, IndexDirection>
}

export interface CollectionDefinition<D extends Document = Document> {
  name: string
  indexes: readonly IndexDefinition[]
  /** The indexed fields that hold lists. Every other one holds one value, and the database refuses a list in it. */
  lists?: readonly string[]
  /** Readers rely on these fields: a document whose value of one of them is refused is left out; see `readable-documents.ts`. */
  readable?: { readonly [K in keyof D]?: z.ZodType }
  /** True for what belongs to running processes and signed-in devices, and is never in a backup. */
  isTransient?: true
  /** Never set. The field carries the type of the documents. */
  document?: D
}
