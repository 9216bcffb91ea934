import type { ConflictDocument } from '../db/collections/conflicts.ts'

/** The key under which the changes of one conflict and their announcements keep their order. */
export const conflictKey = ({ source, externalId }: Pick<ConflictDocument, 'source' | 'externalId'>): string =>
  `conflict:${source}/${externalId}`
