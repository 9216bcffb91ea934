import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

export interface LimitDocument {
  _id: ObjectId
  key: string
  /** A count as `rate-limiter-flexible` stores it. */
  points?: number
  /** The times of a limit that counts in any period; see `new-account-limit.ts`. */
  times?: Date[]
  expire: Date
}

export const limits: CollectionDefinition<LimitDocument> = {
  name: 'limits',
  indexes: [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
  isTransient: true,
}
