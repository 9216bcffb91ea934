import type { ObjectId } from 'mongodb'
import type { Source } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../db/collections/conflicts.ts'
import { isDatabaseUnreachable } from '../../db/is-database-unreachable.ts'
import { DomainError } from '../../errors.ts'
import { toGameId } from '../stored-values.ts'

/** A record whose decision a writer has claimed. */
export type ClaimedDecision = ConflictDocument & { decision: 'match' | 'skip'; fencingToken: number }

/** Whether a decision of this source is carried out by reading the source. A skip that links nothing never is. */
export const needsEntry = (source: Source, decision: 'match' | 'skip'): boolean =>
  decision === 'match' || source === 'igdb' || source === 'vndb'

/** The id of the entry in its source: for `hltb` the chosen one, otherwise that of the record. */
export const chosenEntryId = ({ source, externalId, winnerEntryId }: ConflictDocument): string =>
  source === 'hltb' ? (winnerEntryId ?? '') : externalId

/** The game that the entry is to be linked to; null for a skip. */
export function chosenGameId(record: ClaimedDecision): ObjectId | null {
  if (record.decision === 'skip') return null
  return record.source === 'hltb' ? toGameId(record) : (record.winner ?? null)
}

/** Whether an error says nothing about the decision that met it, which then stays queued. */
export const isInterruption = (error: unknown): boolean =>
  isDatabaseUnreachable(error) || (error instanceof DomainError && error.code === 'UNAVAILABLE')
