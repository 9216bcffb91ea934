import type { ConflictReason, ConflictState } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'

export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  vndb: 'VNDB',
  igdb: 'IGDB',
  hltb: 'HLTB',
  ra: 'RetroAchievements',
}

// Object.keys answers strings; these are the keys of the type.
export const SOURCES = Object.keys(SOURCE_NAMES) as readonly Source[]

export const isSource = (text: string | null | undefined): text is Source => SOURCES.some((source) => source === text)

export const REASONS: Readonly<Record<ConflictReason, string>> = {
  'below-threshold': 'No candidate is similar enough',
  'competing-candidates': 'Several candidates are similar',
  'weak-title': 'The titles are only similar',
  'date-contradicts': 'The dates contradict each other',
  'genre-mismatch': 'The genres differ',
  'description-mismatch': 'The texts differ',
  'no-company-evidence': 'No company to compare',
  'company-mismatch': 'The companies differ',
  'unverified-title': 'Only the title matches',
  'custom-game': 'The game was made by hand',
}

export const STATES: Readonly<Record<ConflictState, { name: string; look: string }>> = {
  waiting: { name: 'Waiting', look: 'warn' },
  'queued-match': { name: 'Match being applied', look: '' },
  'queued-new': { name: 'Skip being applied', look: '' },
  matched: { name: 'Matched', look: 'good' },
  'new-game': { name: 'Skipped', look: '' },
}

export const DECIDERS = { true: 'the matcher', false: 'people' } as const

export const SKIP_EFFECTS: Readonly<Record<Source, string>> = {
  vndb: 'Skip makes a new game of this entry.',
  igdb: 'Skip makes a new game of this entry.',
  hltb: 'Skip leaves the game without times of HowLongToBeat.',
  ra: 'Skip leaves this entry without a game.',
}
