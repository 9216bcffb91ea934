import { Icon } from '../parts/icon.tsx'

interface ChipsProps {
  /** The name of the list. */
  label: string
  entries: readonly { key: string; name: string }[]
  onRemove(key: string): void
}

/** Chosen entries, each with a button that removes it. */
export const Chips = ({ label, entries, onRemove }: ChipsProps) =>
  entries.length === 0 ? null : (
    <ul class="row chips" aria-label={label}>
      {entries.map(({ key, name }) => (
        <li class="row" key={key}>
          {name}
          <button type="button" class="quiet icon-only" aria-label={`Remove ${name}`} onClick={() => onRemove(key)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
