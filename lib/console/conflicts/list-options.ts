import type { ConflictCandidate, ConflictEntry, ConflictItem } from '../../contract/conflicts.ts'
import { listSignals, type Signal } from './conflict-words.ts'
import { type Facts, fromCandidate, fromEntry, type PlatformName } from './facts.ts'
import { splitPoints } from './split-points.ts'

/** A candidate or entry that a conflict can be decided for. */
export interface ConflictOption {
  id: string
  name: string
  score: number | null
  facts: Facts
  /** The parts that speak for or against it; they add up to the score. */
  breakdown: readonly { name: string; points: number }[]
  signals: readonly Signal[]
  isDeleted: boolean
  /** Its own page: of the catalogue, or of the source. */
  address: string | null
}

function fromGame(candidate: ConflictCandidate, item: ConflictItem, toName: PlatformName): ConflictOption {
  const { gameId, name, slug, score, breakdown, game } = candidate
  const linked = game?.linkedExternalId ?? null
  const link: Signal[] =
    linked === null
      ? []
      : [
          linked === item.externalId
            ? { words: 'linked to this entry', look: 'good' }
            : { words: `linked to ${linked}`, look: 'warn' },
        ]

  return {
    id: gameId,
    name,
    score,
    facts: fromCandidate(candidate, toName),
    breakdown: splitPoints(score, breakdown),
    signals: [
      ...(game === null ? [{ words: 'deleted', look: 'bad' } as const] : []),
      ...link,
      ...listSignals(candidate),
    ],
    isDeleted: game === null,
    address: game === null ? null : `#/games/${slug}`,
  }
}

const fromSourceEntry = (entry: ConflictEntry): ConflictOption => ({
  id: entry.id,
  name: entry.name,
  score: entry.score,
  facts: fromEntry(entry),
  breakdown: [],
  signals: [],
  isDeleted: false,
  address: entry.url,
})

/** Everything that a conflict can be decided for, best first. */
export const listOptions = (item: ConflictItem, toName: PlatformName): ConflictOption[] =>
  item.direction === 'entries'
    ? item.entries.map(fromSourceEntry)
    : item.candidates.map((candidate) => fromGame(candidate, item, toName))
