import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'
import type { Suspension } from './users.ts'

/** A user whose account was closed. The document has no name: only the id stays. */
export interface DeletedUserDocument {
  _id: ObjectId
  at: Date
  /** Set once nothing of the user is left. Before that, no new account may have this id. */
  erasedAt?: Date
  /** Keys of the images that are deleted with the account; those of uploads that were under way are among them. */
  images: string[]
  /** A suspension that outlives the account, and the keyed hash of the e-mail address, base64url, by which a new account gets it. */
  suspension?: Suspension
  addressHash?: string
  isPending?: true
}

export const deletedUsers: CollectionDefinition<DeletedUserDocument> = {
  name: 'deletedUsers',
  indexes: [
    { key: { isPending: 1 }, partialFilterExpression: { isPending: true } },
    { key: { addressHash: 1 }, partialFilterExpression: { addressHash: { $exists: true } } },
  ],
}
