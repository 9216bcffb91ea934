import type { ConflictCandidate, ConflictReason, ConflictState } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'

/** Why a person has to decide. */
export const REASONS: Readonly<Record<ConflictReason, string>> = {
  'below-threshold': 'Nothing is alike enough',
  'competing-candidates': 'Several are alike',
  'weak-title': 'The titles are only alike',
  'date-contradicts': 'The dates contradict each other',
  'genre-mismatch': 'The genres differ',
  'description-mismatch': 'The texts differ',
  'no-company-evidence': 'No company to compare',
  'company-mismatch': 'The companies differ',
  'unverified-title': 'The title alone speaks for it',
  'custom-game': 'The game was made by hand',
}

export const STATES: Readonly<Record<ConflictState, { name: string; look: string }>> = {
  waiting: { name: 'Waiting', look: 'warn' },
  'queued-match': { name: 'Match being applied', look: '' },
  'queued-new': { name: 'Skip being applied', look: '' },
  matched: { name: 'Matched', look: 'good' },
  'new-game': { name: 'Skipped', look: '' },
}

/** The effect of a skip, by source. */
export const SKIP_EFFECTS: Readonly<Record<Source, string>> = {
  vndb: 'Skip makes a new game of this entry.',
  igdb: 'Skip makes a new game of this entry.',
  hltb: 'Skip leaves the game without times of HowLongToBeat.',
  ra: 'Skip leaves this entry without a game.',
}

export interface Signal {
  words: string
  look: 'good' | 'bad' | 'warn' | ''
}

/** Signals for and against a candidate, in words. */
export function listSignals({
  dateSignal,
  descriptionSignal,
  hasCompanyMismatch,
  matchedTitle,
  isManual,
  name,
  game,
}: ConflictCandidate): Signal[] {
  const signals: (Signal | false)[] = [
    isManual && { words: 'found by hand', look: '' },
    game?.isCustom === true && { words: 'made by hand', look: '' },
    dateSignal !== 'unknown' &&
      (dateSignal === 'confirms'
        ? { words: 'date confirms it', look: 'good' }
        : { words: 'date contradicts it', look: 'bad' }),
    descriptionSignal !== 'unknown' &&
      (descriptionSignal === 'match'
        ? { words: 'texts agree', look: 'good' }
        : { words: 'texts disagree', look: 'bad' }),
    hasCompanyMismatch && { words: 'companies disagree', look: 'bad' },
    matchedTitle !== null && matchedTitle !== name && { words: `matched by “${matchedTitle}”`, look: '' },
  ]
  return signals.filter((signal) => signal !== false)
}
