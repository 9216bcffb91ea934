import type { ConflictCandidate, ConflictEntry, ConflictItem } from '../../contract/conflicts.ts'
import { formatPoints } from '../format.ts'
import { Cover } from '../parts/cover.tsx'
import { listSignals, type Signal } from './conflict-words.ts'
import { FactRows } from './fact-rows.tsx'
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
  details: string
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
    details: '',
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
  details: entry.details.join(', '),
  isDeleted: false,
  address: entry.url,
})

/** Everything that a conflict can be decided for, best first. */
export const listOptions = (item: ConflictItem, toName: PlatformName): ConflictOption[] =>
  item.direction === 'entries'
    ? item.entries.map(fromSourceEntry)
    : item.candidates.map((candidate) => fromGame(candidate, item, toName))

interface OptionProps {
  elementId: string
  option: ConflictOption
  subject: Facts | undefined
  isChosen: boolean
  onChoose(): void
}

/** An option in the rows of the entry. It holds no link and no button: the list is one control. */
export function OptionRow({ elementId, option, subject, isChosen, onChoose }: OptionProps) {
  const { name, score, facts, breakdown, signals, details, isDeleted } = option
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows are heard by the whole view.
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and points at the chosen option.
    <div
      role="option"
      id={elementId}
      class="option"
      aria-selected={isChosen ? 'true' : 'false'}
      aria-disabled={isDeleted ? 'true' : undefined}
      onClick={() => {
        if (!isDeleted) onChoose()
      }}
    >
      <span class="option-head">
        <Cover src={facts.cover} name={name} />
        <span class="option-score">
          {score === null ? <span class="facts">no score</span> : <strong>{formatPoints(score)}</strong>}
        </span>
        <span class="breakdown">
          {breakdown.map((part) => (
            <span key={part.name} class={part.points > 0 ? 'for' : 'against'}>
              {part.name} {part.points > 0 ? `+${part.points}` : part.points}{' '}
            </span>
          ))}
        </span>
        <span class="signals">
          {signals.map(({ words, look }) => (
            <span key={words} class={`badge ${look}`}>
              {words}{' '}
            </span>
          ))}
        </span>
      </span>
      <FactRows facts={facts} against={subject} extra={details === '' ? [] : [{ name: 'Times', value: details }]} />
    </div>
  )
}
