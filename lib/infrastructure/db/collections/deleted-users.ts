import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

/** A user whose account was closed. It names nobody: the id alone stays. */
export interface DeletedUserDocument {
  _id: ObjectId
  /** When the account was closed, by the database's clock. */
  at: Date
  /** Set once nothing of the user is left. Before that, no new account may have this id. */
  erasedAt?: Date
  /** Keys of the images that are deleted with the account; those of uploads that were under way are among them. */
  images: string[]
  /** True while the erasure still has work. */
  isPending?: true
}

export const deletedUsers: CollectionDefinition<DeletedUserDocument> = {
  name: 'deletedUsers',
  indexes: [{ key: { isPending: 1 }, partialFilterExpression: { isPending: true } }],
}
