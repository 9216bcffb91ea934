import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

/** Count for a key of a limit, as `rate-limiter-flexible` stores it. */
export interface LimitDocument {
  _id: ObjectId
  key: string
  points: number
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
