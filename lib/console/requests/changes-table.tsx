import { useMemo, useState } from 'preact/hooks'
import { Checkbox } from '../fields/field.tsx'
import { ImagePreview } from '../fields/image-preview.tsx'
import { ExternalLink } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type Columns, Table } from '../parts/table.tsx'
import { isAdded } from '../proposal/fields.ts'
import { type Change, describeEffect, isChanging, type ValueItem } from './changes.ts'
import { findTextDifference } from './text-difference.ts'

function LargeImage({ src, name }: { src: string; name: string }) {
  const [size, setSize] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const preview = <ImagePreview src={src} name={name} onSize={(width, height) => setSize(`${width} × ${height} px`)} />
  return (
    <>
      {size === undefined ? (
        preview
      ) : (
        <button
          type="button"
          class="quiet large-image"
          aria-label={`Enlarge ${name.toLowerCase()}`}
          onClick={() => setOpen(true)}
        >
          {preview}
        </button>
      )}
      <span class="facts image-size">{size}</span>
      {isOpen && (
        <Dialog title={name} isWide onClose={() => setOpen(false)}>
          <img src={src} alt={name} referrerpolicy="no-referrer" />
          <p class="facts">{size}</p>
        </Dialog>
      )}
    </>
  )
}

/** Minimum length of a text whose differences are marked. */
const LONG = 40

function Marked({ before, after }: { before: string; after: string }) {
  // The review is redrawn with each letter of the reason.
  const parts = useMemo(() => findTextDifference(before, after), [before, after])
  return (
    <p class="marked">
      {parts.map(({ value, added, removed }, index) => {
        const Mark = added ? 'ins' : removed ? 'del' : 'span'
        return <Mark key={index}>{value}</Mark>
      })}
    </p>
  )
}

function Item({ item: { text, address, isImage }, name }: { item: ValueItem; name: string }) {
  if (isImage && address) {
    return (
      <>
        <LargeImage src={address} name={name} />
        <ExternalLink class="facts" href={address}>
          {text.replace(/^https?:\/\//, '')}
        </ExternalLink>
      </>
    )
  }
  if (address === undefined) return <>{text}</>
  return <ExternalLink href={address}>{text}</ExternalLink>
}

interface ValuesProps {
  items: readonly ValueItem[]
  others: readonly ValueItem[]
  /** The mark of a value that is missing on the other side. */
  mark: 'ins' | 'del' | undefined
  name: string
}

function Values({ items, others, mark, name }: ValuesProps) {
  if (items.length === 0) return <span class="muted">nothing</span>
  const otherTexts = new Set(others.map(({ text }) => text))
  return (
    <ul class="stack tight">
      {items.map((item) => {
        const isShared = otherTexts.has(item.text)
        const Mark = item.isImage || isShared || mark === undefined ? 'span' : mark
        return (
          <li key={item.address ?? item.text} class={isShared ? 'same' : undefined}>
            <Mark dir="auto">
              <Item item={item} name={name} />
            </Mark>
          </li>
        )
      })}
    </ul>
  )
}

function Proposed({ change: { field, current, proposed } }: { change: Change }) {
  const [before, after] = [current[0]?.text, proposed[0]?.text]
  const isText = field.kind === 'text' || field.kind === 'long'
  if (isText && before && after && Math.max(before.length, after.length) > LONG) {
    return <Marked before={before} after={after} />
  }
  return (
    <Values
      items={proposed}
      others={current}
      mark={current.length === 0 ? undefined : 'ins'}
      name={`Proposed ${field.label}`}
    />
  )
}

interface ChangesTableProps {
  changes: readonly Change[]
  picked: readonly Change[]
  disabled: boolean
  onToggle(change: Change): void
}

export function ChangesTable({ changes, picked, disabled, onToggle }: ChangesTableProps) {
  const columns: Columns<Change> = {
    Field: (change) => (
      <Checkbox
        label={change.field.label}
        name={`Apply ${change.field.label}`}
        checked={picked.includes(change)}
        disabled={disabled}
        onChange={() => onToggle(change)}
      />
    ),
    Current: ({ field, current, proposed }) => (
      <Values
        items={current}
        others={proposed}
        mark={isAdded(field) || field.kind === 'long' || field.kind === 'text' ? undefined : 'del'}
        name={`Current ${field.label}`}
      />
    ),
    Proposed: (change) => <Proposed change={change} />,
    'What approving does': (change) =>
      isChanging(change) ? (
        describeEffect(change)
      ) : (
        <span class="muted">{describeEffect(change)}, changes nothing</span>
      ),
  }
  return (
    <div class="changes">
      <Table name="Changes" columns={columns} rows={changes} rowKey={({ field }) => field.key} />
    </div>
  )
}
