import type { ObjectId } from 'mongodb'
import type { Sync, SyncSource } from '#lib/contract/sync'
import type { CollectionDefinition } from './collection-definition.ts'

export type SyncCount = 'read' | 'matched' | 'new' | 'waiting' | 'refreshed' | 'unchanged' | 'refused'

export interface SyncDocument extends Pick<Sync, SyncCount | 'message'> {
  _id: SyncSource
  /** A running walk is continued by the instance that holds the lease of its source. */
  state: 'idle' | 'running'
  walkId: ObjectId
  cursor: string | null
  startedAt: Date
  finishedAt: Date | null
  reader: string | null
}

export const syncs: CollectionDefinition<SyncDocument> = { name: 'syncs', indexes: [] }
