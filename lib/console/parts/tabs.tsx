import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import { moveFocus } from './move-focus.ts'

interface TabsProps<T extends string> {
  label: string
  tabs: readonly { value: T; name: string; count?: number | undefined }[]
  selected: T
  onSelect(value: T): void
  children: ComponentChildren
}

export function Tabs<T extends string>({ label, tabs, selected, onSelect, children }: TabsProps<T>) {
  const id = useId()

  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => moveFocus(event, 'ArrowLeft', 'ArrowRight')?.click()}
      >
        {tabs.map(({ value, name, count }) => (
          <button
            key={value}
            type="button"
            role="tab"
            id={`${id}-${value}`}
            aria-selected={value === selected}
            aria-controls={`${id}-panel`}
            tabIndex={value === selected ? 0 : -1}
            onClick={() => onSelect(value)}
          >
            {name}
            {count !== undefined && <span class="count"> {formatNumber(count)}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </div>
  )
}
