import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { ModerationFacts, NotificationType, RequestFacts } from '#lib/contract/notifications'
import { id, orNull, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

export interface NotificationDocument {
  _id: ObjectId
  userId: ObjectId
  type: NotificationType
  /** What is added to one notification as long as it is unread: `reply:<comment answered>`, `request:<id>`, … */
  key: string
  count: number
  /** The newest three different ones, newest first. */
  actors: { _id: ObjectId; userName: string }[]
  gameId: ObjectId | null
  commentId: ObjectId | null
  requestId: ObjectId | null
  facts: RequestFacts | ModerationFacts | null
  isRead: boolean
  createdAt: Date
  /** The time of the newest thing in it; the order of the list. */
  updatedAt: Date
  rev: number
  /** `<user id>:<random id>`, new with each write: the change stream shows what a write changed, and whose row it was. */
  changeOf: string
}

const NINETY_DAYS_SECONDS = 90 * 24 * 60 * 60
/** Finds the unread notifications of a user, of which there is one by key. */
export const UNREAD_BY_KEY = { userId: 1, key: 1, isRead: 1 } as const
export const NEWEST_FIRST = { userId: 1, updatedAt: -1, _id: -1 } as const

export const notifications: CollectionDefinition<NotificationDocument> = {
  name: 'notifications',
  indexes: [
    { name: 'unread_key', key: UNREAD_BY_KEY, unique: true, partialFilterExpression: { isRead: false } },
    { key: NEWEST_FIRST },
    { key: { 'actors._id': 1 } },
    { key: { updatedAt: 1 }, expireAfterSeconds: NINETY_DAYS_SECONDS },
  ],
  lists: ['actors._id'],
  readable: {
    _id: id,
    userId: id,
    type: NotificationType,
    count: z.number().catch(1),
    actors: readableArray(z.object({ _id: id, userName: z.string() })).catch([]),
    gameId: orNull(id),
    commentId: orNull(id),
    requestId: orNull(id),
    facts: orNull(z.union([RequestFacts, ModerationFacts])),
    isRead: z.boolean().catch(false),
    createdAt: z.date(),
    updatedAt: z.date(),
  },
}
