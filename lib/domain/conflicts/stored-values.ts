import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { GameCompany } from '../../contract/catalogue.ts'
import { ConflictCandidate, type ConflictSubject } from '../../contract/conflicts.ts'
import { Id } from '../../contract/ids.ts'
import { isObjectId } from '../../contract/object-id.ts'
import type { ConflictDocument, StoredCandidate, StoredEntry } from '../../infrastructure/db/collections/conflicts.ts'

// Parsers write the records without these types, so a value of another type reads as absent.

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const textOr = (value: unknown, fallback: string): string => textOrNull(value) ?? fallback

export const objectIdsIn = (list: unknown): ObjectId[] =>
  Array.isArray(list) ? list.filter((id) => id instanceof ObjectId) : []

const storedText = z.string().catch('')
const storedTextOrNull = z.string().min(1).nullable().catch(null)
const storedNumber = z.number().catch(0)
const storedNumberOrNull = z.number().nullable().catch(null)
const storedFlag = z.boolean().catch(false)

const storedList = <T>(member: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((members) => members.flatMap((value) => member.safeParse(value).data ?? []))
const storedTexts = storedList(z.string())
const storedIds = storedList(z.union([Id, z.instanceof(ObjectId).transform((id) => id.toHexString())]))

/** Rounds to one decimal; -0 becomes 0. */
const storedPoints = storedNumber.transform((points) => Math.round(points * 10) / 10 || 0)

const Breakdown = z.object({
  title: storedPoints,
  companies: storedPoints,
  date: storedPoints,
  platforms: storedPoints,
  genre: storedPoints,
  type: storedPoints,
})

export const CandidateFacts = z.object({
  breakdown: Breakdown.catch(() => Breakdown.parse({})),
  isManual: storedFlag,
  dateSignal: ConflictCandidate.shape.dateSignal.catch('unknown'),
  descriptionSignal: ConflictCandidate.shape.descriptionSignal.catch('unknown'),
  hasCompanyMismatch: storedFlag,
  matchedTitle: storedTextOrNull,
})

/** The last second that a date can have. */
const MAX_SECONDS = 8.64e12
const storedSeconds = z.number().min(-MAX_SECONDS).max(MAX_SECONDS).nullable().catch(null)

export const GameFacts = z.object({
  cover: storedTextOrNull,
  type: storedTextOrNull,
  summary: storedTextOrNull,
  alternativeNames: storedTexts,
  companies: storedList(GameCompany),
  firstRelease: storedSeconds,
  platformIds: storedIds,
  isCustom: storedFlag,
})

export const EntryFacts = z.object({
  score: storedNumberOrNull,
  releaseYear: storedNumberOrNull,
  platforms: storedTexts,
  cover: storedTextOrNull,
  url: storedTextOrNull,
  details: storedTexts,
})

export const SubjectFacts = z.object({
  name: storedText,
  originalName: storedText,
  alternativeNames: storedTexts,
  description: storedText,
  released: storedTextOrNull,
  developers: storedTexts,
  platformIds: storedIds,
  lengthMinutes: storedNumberOrNull,
  cover: storedTextOrNull,
  isExplicitCover: storedFlag,
  url: storedTextOrNull,
})

export const listCandidates = ({ candidates }: Pick<ConflictDocument, 'candidates'>): StoredCandidate[] =>
  Array.isArray(candidates) ? candidates.filter((candidate) => candidate?.gameId instanceof ObjectId) : []

export const listEntries = ({ entries }: Pick<ConflictDocument, 'entries'>): StoredEntry[] =>
  Array.isArray(entries) ? entries.filter((entry) => typeof entry?.id === 'string') : []

export const toGameId = ({ externalId }: Pick<ConflictDocument, 'externalId'>): ObjectId | null =>
  isObjectId(externalId) ? new ObjectId(externalId) : null

/** Reads the entry that a conflict is about; unknown fields are empty. */
export function readSubject({
  externalData,
  externalName,
}: Pick<ConflictDocument, 'externalData' | 'externalName'>): ConflictSubject {
  const name = textOr(externalData?.name, textOr(externalName, ''))
  const originalName = textOr(externalData?.originalName, name)
  return SubjectFacts.parse({ ...externalData, name, originalName })
}
