import type { ConflictDocument } from '../db/collections/conflicts.ts'

type Identity = Pick<ConflictDocument, 'source' | 'externalId'>

/** A conflict in one text, as the staff log names it. */
export const conflictId = ({ source, externalId }: Identity): string => `${source}/${externalId}`

/** The key under which the changes of one conflict and their announcements keep their order. */
export const conflictQueueKey = (conflict: Identity): string => `conflict:${conflictId(conflict)}`
