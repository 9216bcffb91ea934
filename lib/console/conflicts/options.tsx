import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import { formatPoints } from '../format.ts'
import { Cover, Empty } from '../parts/basics.tsx'
import { FactRows } from './entry.tsx'
import type { Facts } from './facts.ts'
import type { ConflictOption } from './list-options.ts'

/** A score with a bar of its parts: positive ones in a row, negative ones subtracted from the end. */
function Points({ score, breakdown }: Pick<ConflictOption, 'score' | 'breakdown'>) {
  if (score === null) return <span class="points facts">no score</span>
  const gained = breakdown.reduce((sum, { points }) => sum + Math.max(0, points), 0)
  const toPercent = (points: number) => `${(100 * points) / Math.max(gained, 100)}%`
  let end = 0
  return (
    <span class="stack tight points">
      <strong>{formatPoints(score)}</strong>
      {breakdown.length > 0 && (
        <span class="points-bar" aria-hidden="true">
          {breakdown.map(({ name, points }) => {
            end += points
            const place = { left: toPercent(end - Math.max(0, points)), width: toPercent(Math.abs(points)) }
            const look = points > 0 ? { 'data-part': name } : { class: 'against' }
            return <span key={name} {...look} style={place} />
          })}
        </span>
      )}
      <span class="row breakdown">
        {breakdown.map(({ name, points }) => (
          <span key={name} class={points > 0 ? 'for' : 'against'} data-part={name}>
            {name} {points > 0 ? `+${points}` : points}{' '}
          </span>
        ))}
      </span>
    </span>
  )
}

interface OptionsProps {
  item: ConflictItem
  options: readonly ConflictOption[]
  subject: Facts | undefined
  hasPlayTime: boolean
  chosen: string | undefined
  onChoose(id: string): void
}

export function Options({ item, options, subject, hasPlayTime, chosen, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  const isOfEntries = item.direction === 'entries'

  const first = useRef(chosen)
  useLayoutEffect(() => {
    // A review begins at its top, with the entry.
    if (chosen === first.current) return
    first.current = undefined
    list.current?.querySelector('[aria-selected="true"] .cover')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  if (options.length === 0) {
    return (
      <Empty title={isOfEntries ? 'No entries left.' : 'No game is similar to this entry.'}>
        {isOfEntries ? 'Skip it.' : 'Find one by its name above, or skip the entry.'}
      </Empty>
    )
  }
  return (
    <div
      ref={list}
      role="listbox"
      class="stack tight option-list"
      aria-label={isOfEntries ? 'Entries' : 'Candidates'}
      tabIndex={0}
      aria-activedescendant={chosen === undefined ? undefined : `option-${chosen}`}
    >
      {options.map(({ id, score, facts, breakdown, signals, isDeleted }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the whole view handles the arrows.
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and points at the chosen option.
        <div
          key={id}
          role="option"
          id={`option-${id}`}
          class="panel stack tight option"
          aria-selected={id === chosen}
          aria-disabled={isDeleted ? 'true' : undefined}
          onClick={() => {
            if (!isDeleted) onChoose(id)
          }}
        >
          <Cover src={facts.cover} name={facts.title} />
          <Points score={score} breakdown={breakdown} />
          <span class="row signals">
            {signals.map(({ words, look }) => (
              <span key={words} class={`badge ${look}`}>
                {words}{' '}
              </span>
            ))}
          </span>
          <FactRows facts={facts} against={subject} hasPlayTime={hasPlayTime} />
        </div>
      ))}
    </div>
  )
}
