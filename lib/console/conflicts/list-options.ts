import type { ConflictCandidate, ConflictItem } from '../../contract/conflicts.ts'
import { type Facts, fromCandidate, fromEntry, type PlatformName } from './facts.ts'
import { splitPoints } from './split-points.ts'

interface Signal {
  words: string
  look: 'good' | 'bad' | 'warn' | ''
}

export interface ConflictOption {
  id: string
  score: number | null
  facts: Facts
  /** The evidence for and against the option; its points add up to the score. */
  breakdown: readonly { name: string; points: number }[]
  signals: readonly Signal[]
  isDeleted: boolean
  address: string | null
}

function listSignals(candidate: ConflictCandidate, externalId: string): Signal[] {
  const { dateSignal, descriptionSignal, hasCompanyMismatch, matchedTitle, isManual, name, game } = candidate
  const linked = game?.linkedExternalId ?? null
  const signals: (Signal | false)[] = [
    game === null && { words: 'deleted', look: 'bad' },
    linked === externalId && { words: 'linked to this entry', look: 'good' },
    linked !== null && linked !== externalId && { words: `linked to ${linked}`, look: 'warn' },
    isManual && { words: 'found by hand', look: '' },
    game?.isCustom === true && { words: 'made by hand', look: '' },
    dateSignal === 'confirms' && { words: 'date confirms it', look: 'good' },
    dateSignal === 'contradicts' && { words: 'date contradicts it', look: 'bad' },
    descriptionSignal === 'match' && { words: 'texts agree', look: 'good' },
    descriptionSignal === 'mismatch' && { words: 'texts disagree', look: 'bad' },
    hasCompanyMismatch && { words: 'companies disagree', look: 'bad' },
    matchedTitle !== null && matchedTitle !== name && { words: `matched by “${matchedTitle}”`, look: '' },
  ]
  return signals.filter((signal) => signal !== false)
}

export function listOptions(item: ConflictItem, toName: PlatformName): ConflictOption[] {
  if (item.direction === 'entries') {
    return item.entries.map((entry) => ({
      id: entry.id,
      score: entry.score,
      facts: fromEntry(entry),
      breakdown: [],
      signals: [],
      isDeleted: false,
      address: entry.url,
    }))
  }
  return item.candidates.map((candidate) => ({
    id: candidate.gameId,
    score: candidate.score,
    facts: fromCandidate(candidate, toName),
    breakdown: splitPoints(candidate.score, candidate.breakdown),
    signals: listSignals(candidate, item.externalId),
    isDeleted: candidate.game === null,
    address: candidate.game && `#/games/${candidate.slug}`,
  }))
}
