import { useMemo, useState } from 'preact/hooks'
import { Checkbox } from '../fields/field.tsx'
import { ImagePreview } from '../fields/image-preview.tsx'
import { ExternalLink } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type Columns, Table } from '../parts/list.tsx'
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

function Marked({ before, after }: { before: string; after: string }) {
  // The comparison is kept, because each letter of the reason redraws the review.
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

const isText = ({ field: { kind } }: Change) => kind === 'text' || kind === 'long'

interface ValuesProps {
  change: Change
  side: 'current' | 'proposed'
}

/** The values of one side; those that the other side lacks are marked. */
function Values({ change, side }: ValuesProps) {
  const { field, current, proposed } = change
  const [items, others] = side === 'current' ? [current, proposed] : [proposed, current]
  if (items.length === 0) return <span class="muted">nothing</span>
  const otherTexts = new Set(others.map(({ text }) => text))
  const isMarked = side === 'proposed' ? current.length > 0 : !isAdded(field) && !isText(change)
  return (
    <ul class="stack tight">
      {items.map((item) => {
        const isShared = otherTexts.has(item.text)
        const Changed = side === 'current' ? 'del' : 'ins'
        const Mark = item.isImage || isShared || !isMarked ? 'span' : Changed
        return (
          <li key={item.address ?? item.text} class={isShared ? 'same' : undefined}>
            <Mark dir="auto">
              <Item item={item} name={`${side === 'current' ? 'Current' : 'Proposed'} ${field.label}`} />
            </Mark>
          </li>
        )
      })}
    </ul>
  )
}

function Proposed({ change }: { change: Change }) {
  const [before, after] = [change.current[0]?.text, change.proposed[0]?.text]
  if (isText(change) && before && after) return <Marked before={before} after={after} />
  return <Values change={change} side="proposed" />
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
    Current: (change) => <Values change={change} side="current" />,
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
