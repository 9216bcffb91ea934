import type { CollectionDefinition } from './collection-definition.ts'

/** How far a job has read the change stream, for the instance that continues it. */
interface PositionDocument {
  _id: string
  token?: unknown
  /** True while changes before the token were missed, so that every document is due. */
  isAllDue?: boolean
}

export const positions: CollectionDefinition<PositionDocument> = { name: 'positions', indexes: [], isTransient: true }
