import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import { Cover } from '../parts/cover.tsx'
import { Empty } from '../parts/empty.tsx'
import { FactRows } from './fact-rows.tsx'
import type { Facts } from './facts.ts'
import type { ConflictOption } from './list-options.ts'
import { Points } from './points.tsx'

interface OptionsProps {
  item: ConflictItem
  options: readonly ConflictOption[]
  subject: Facts | undefined
  hasPlayTime: boolean
  chosen: string | undefined
  onChoose(id: string): void
}

/** The listbox of candidates or entries. */
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
      <Empty title={isOfEntries ? 'No entry is left.' : 'No game is like this entry.'}>
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
      {options.map(({ id, name, score, facts, breakdown, signals, isDeleted }) => (
        // An option holds no link and no button: the list is one control.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows are heard by the whole view.
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and points at the chosen option.
        <div
          key={id}
          role="option"
          id={`option-${id}`}
          class="panel stack tight option"
          aria-selected={id === chosen ? 'true' : 'false'}
          aria-disabled={isDeleted ? 'true' : undefined}
          onClick={() => {
            if (!isDeleted) onChoose(id)
          }}
        >
          <Cover src={facts.cover} name={name} />
          <Points score={score} parts={breakdown} />
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
