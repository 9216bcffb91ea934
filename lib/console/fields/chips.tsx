import { IconButton } from '../parts/button.tsx'

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
          <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  )
