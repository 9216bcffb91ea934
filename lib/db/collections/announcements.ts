import type { ObjectId } from 'mongodb'
import type { CollectionFacts } from './collection-facts.ts'

/** An event that no single write carries. Only the change stream reads it. */
export interface AnnouncementDocument {
  _id: ObjectId
  said: string
  at: Date
}

const ONE_HOUR_SECONDS = 60 * 60

export const announcements: CollectionFacts<AnnouncementDocument> = {
  name: 'announcements',
  indexes: [{ key: { at: 1 }, expireAfterSeconds: ONE_HOUR_SECONDS }],
}
