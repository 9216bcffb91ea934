import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import type { ConflictCandidate, ConflictEntry, ConflictSubject } from '#lib/contract/conflicts'
import { Source } from '#lib/contract/sources'
import { id, orNullish, type ReadBy } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

type CandidateFacts = 'isManual' | 'dateSignal' | 'descriptionSignal' | 'hasCompanyMismatch' | 'matchedTitle'

export interface StoredCandidate
  extends Pick<ConflictCandidate, 'slug' | 'name' | 'score'>,
    Partial<Pick<ConflictCandidate, CandidateFacts>> {
  gameId: ObjectId
  breakdown?: Record<string, number | null>
}

export type StoredEntry = Partial<ConflictEntry> & Pick<ConflictEntry, 'id' | 'name'>

type SubjectTexts = 'originalName' | 'description' | 'type'

export interface StoredSubject
  extends Partial<Omit<ConflictSubject, SubjectTexts | 'platformIds'>>,
    Partial<Record<SubjectTexts, string | null>> {
  name: string
  platformIds?: ObjectId[]
  publishers?: string[]
  genres?: string[]
}

const readable = {
  _id: id,
  source: Source,
  /** Id at the source; for `hltb` the id of the catalogue game in hex. */
  externalId: z.string(),
  winner: orNullish(id),
}

/** A record. Its parser may leave out every optional field. */
export interface ConflictDocument extends ReadBy<typeof readable> {
  externalName: string
  reason?: string | null
  candidates?: StoredCandidate[]
  entries?: StoredEntry[]
  status: 'pending' | 'resolved' | 'absent'
  decision?: 'match' | 'skip' | null
  winnerEntryId?: string | null
  /** Identifies the decision among all of the record. */
  decisionId?: ObjectId | null
  isAutomatic?: boolean | null
  decidedAt?: Date
  /** True while the writer parses a linked entry again. */
  isRefresh?: boolean | null
  entryHash?: string | null
  decidedBy?: { userId: ObjectId; userName: string } | null
  reopenedBy?: { userId: ObjectId; userName: string }
  /** How the last decision came back; the next decision clears it. */
  failure?: { message: string; at: Date } | null
  externalData?: StoredSubject | null
  createdAt: Date
  updatedAt: Date
  /** Grows with each event: decisions, reopenings, and what the writer wrote. */
  rev?: number
  sentBy?: string
}

/** Lists each state apart, oldest first, and counts waiting conflicts without their documents. */
export const BY_DECISION = { source: 1, status: 1, decision: 1, createdAt: 1, _id: 1 } as const
/** Lists the states in which the decision does not matter. */
export const BY_STATUS = { source: 1, status: 1, createdAt: 1, _id: 1 } as const
/** Lists the conflicts that the matcher decided apart from the others. The index includes the time of the decision. */
export const BY_AUTOMATIC = { source: 1, status: 1, isAutomatic: 1, createdAt: 1, _id: 1, decidedAt: 1 } as const
/** Lists queued decisions of people apart from those of the matcher and from refreshes, oldest first. */
export const BY_PERSON = { source: 1, isAutomatic: 1, isRefresh: 1, decision: 1, createdAt: 1, _id: 1 } as const

export const conflicts: CollectionDefinition<ConflictDocument> = {
  name: 'conflicts',
  indexes: [
    { key: { source: 1, externalId: 1 }, name: 'entry_unique', unique: true },
    { key: BY_DECISION },
    { key: BY_STATUS },
    { key: BY_AUTOMATIC },
    { key: BY_PERSON, partialFilterExpression: { status: 'pending' } },
    { key: { 'candidates.gameId': 1, status: 1, decision: 1, createdAt: 1, _id: 1 } },
    { key: { 'decidedBy.userId': 1 }, partialFilterExpression: { 'decidedBy.userId': { $exists: true } } },
    { key: { 'reopenedBy.userId': 1 }, partialFilterExpression: { 'reopenedBy.userId': { $exists: true } } },
  ],
  lists: ['candidates.gameId'],
  readable,
}
