import type { Filter, ObjectId } from 'mongodb'
import type { Source } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../db/collections/conflicts.ts'
import type { Sources } from '../../sources/sources.ts'
import { gameIdOf } from '../stored-values.ts'

/** A record whose decision a writer has in hand. */
export type ClaimedDecision = ConflictDocument & { decision: 'match' | 'skip'; fence: number }

/** Whether a decision of this source is carried out by reading the source. A skip that links nothing never is. */
export const isReadFor = (source: Source, decision: 'match' | 'skip'): boolean =>
  decision === 'match' || source === 'igdb' || source === 'vndb'

/** The queued decisions that can be applied now: while the circuit of the source is open, those that do not need it. */
export function applicableNow(source: Source, sources: Sources): Filter<ConflictDocument> {
  const reader = sources[source]
  const isClosed = reader.isOn && reader.closedForMs() > 0
  const decisions = (['match', 'skip'] as const).filter((decision) => !isClosed || !isReadFor(source, decision))
  return { source, status: 'pending', decision: { $in: decisions } }
}

/** The id of the entry in its source: of `hltb` the one that was chosen, of the others that of the record. */
export const entryIdOf = ({ source, externalId, winnerEntryId }: ConflictDocument): string =>
  source === 'hltb' ? (winnerEntryId ?? '') : externalId

/** The game that the entry is to be linked to; null for a skip. */
export function chosenGameOf(record: ClaimedDecision): ObjectId | null {
  if (record.decision === 'skip') return null
  return record.source === 'hltb' ? gameIdOf(record) : (record.winner ?? null)
}
