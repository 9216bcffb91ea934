import { useState } from 'preact/hooks'
import { Combobox, GameSearch } from '../fields/combobox.tsx'
import { Checkbox, Select, TextArea, TextField } from '../fields/field.tsx'
import { ImagePreview } from '../fields/image-preview.tsx'
import { addGame, type FoundGame, gamesById, usePlatforms } from '../names.ts'
import { Button, IconButton } from '../parts/basics.tsx'
import { toLines } from './draft.ts'
import {
  isAdded,
  isObject,
  listColumns,
  type ProposalField,
  REGIONS,
  RELATION_NAMES,
  type RowColumn,
  toList,
} from './fields.ts'
import { findExact, findRefusal, type Refusals } from './refusals.ts'

interface FieldControlProps {
  field: ProposalField
  value: unknown
  hint: string | undefined
  refusals: Refusals
  onChange(value: unknown): void
}

interface RowCellProps {
  column: RowColumn
  value: unknown
  refusal: string | undefined
  onChange(value: string | boolean): void
}

function RowCell({ column: { kind, label }, value = '', refusal, onChange }: RowCellProps) {
  const platforms = usePlatforms()
  const control = { label, refusal, value: String(value) }
  switch (kind) {
    case 'flag':
      return <Checkbox label={label} checked={value === true} onChange={onChange} />
    case 'platform':
    case 'region': {
      const options =
        kind === 'platform'
          ? [{ value: '', name: 'Choose one' }, ...platforms.map(({ _id, name }) => ({ value: _id, name }))]
          : ['Not specified', ...REGIONS].map((name, index) => ({ value: index === 0 ? '' : String(index), name }))
      return <Select {...control} options={options} onChange={onChange} />
    }
    default:
      return <TextField {...control} type={kind === 'date' ? 'date' : 'text'} onInput={onChange} />
  }
}

type RowsFieldProps = FieldControlProps & { field: Extract<ProposalField, { kind: 'rows' }> }

function RowsField({ field, value, hint, refusals, onChange }: RowsFieldProps) {
  const { key, label, row: rowName } = field
  const rows = toList(value).filter(isObject)
  const find = (...path: readonly (string | number)[]) => findExact(refusals, ['payload', key, ...path].join('.'))

  return (
    <fieldset class="stack">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {rows.map((row, index) => (
        // The key changes with each added or removed row, because a half-typed date is in the element alone.
        <fieldset class="grid row-fields" key={`${index} of ${rows.length}`} aria-label={`${rowName} ${index + 1}`}>
          {listColumns(field).map((column) => (
            <RowCell
              key={column.key}
              column={column}
              value={row[column.key]}
              refusal={find(index, column.key)}
              onChange={(cell) => onChange(rows.with(index, { ...row, [column.key]: cell }))}
            />
          ))}
          {find(index) && <p class="refusal">{find(index)}</p>}
          <Button
            class="small"
            aria-label={`Remove ${rowName} ${index + 1}`}
            onClick={() => onChange(rows.toSpliced(index, 1))}
            text="Remove"
          />
        </fieldset>
      ))}
      {find() && <p class="refusal">{find()}</p>}
      <Button class="small" onClick={() => onChange([...rows, {}])} text={`Add ${rowName}`} />
    </fieldset>
  )
}

const RELATION_OPTIONS = Object.entries(RELATION_NAMES).map(([value, name]) => ({ value, name }))

function EntriesField({ field, value, hint, refusals, onChange }: FieldControlProps) {
  const { key, kind, label } = field
  const [relation, setRelation] = useState('sequels')
  const platforms = usePlatforms()
  const ids = toList(value).map(String)
  const add = (id: string) => onChange(kind === 'game' ? [id] : [...ids.filter((entry) => entry !== id), id])
  const refusal = findRefusal(refusals, `payload.${key}`)
  const nameGame = (id: string) => gamesById.value.get(id)?.name ?? id

  function nameEntry(entry: string): string {
    if (kind === 'platforms') return platforms.find(({ _id }) => _id === entry)?.name ?? entry
    const [first = '', id] = entry.split(' ')
    return id === undefined ? nameGame(first) : `${RELATION_NAMES[first] ?? first}: ${nameGame(id)}`
  }
  const chips = ids.length > 0 && (
    <ul class="row chips" aria-label={`Chosen: ${label}`}>
      {ids.map((id) => (
        <li class="row" key={id}>
          {nameEntry(id)}
          <IconButton
            icon="close"
            label={`Remove ${nameEntry(id)}`}
            onClick={() => onChange(ids.filter((entry) => entry !== id))}
          />
        </li>
      ))}
    </ul>
  )
  const games = {
    refusal,
    onChoose(game: FoundGame) {
      addGame(game)
      add(kind === 'relations' ? `${relation} ${game._id}` : game._id)
    },
  }

  if (kind === 'relations') {
    return (
      <fieldset class="stack tight">
        <legend>{label}</legend>
        {hint && <p class="hint">{hint}</p>}
        <div class="grid row-fields">
          <Select label="Relation" value={relation} options={RELATION_OPTIONS} onChange={setRelation} />
          <GameSearch label="Related game" {...games} />
        </div>
        {chips}
      </fieldset>
    )
  }
  return (
    <div class="stack tight">
      {kind === 'platforms' ? (
        <Combobox
          label={label}
          hint={hint}
          refusal={refusal}
          useSearch={(text) => ({
            found: {
              results: platforms
                .filter(({ _id, name }) => name.toLowerCase().includes(text.toLowerCase()) && !ids.includes(_id))
                .slice(0, 12),
            },
            isCurrent: true,
          })}
          drawOption={({ name }) => name}
          onChoose={({ _id }) => add(_id)}
        />
      ) : (
        <GameSearch label={label} hint={hint} {...games} />
      )}
      {chips}
    </div>
  )
}

/** The control of one field of a proposal, with the service's refusal of its value. */
export function ProposalFieldControl({
  isCorrection,
  ...props
}: Omit<FieldControlProps, 'hint'> & { isCorrection: boolean }) {
  const { field, value = '', refusals, onChange } = props
  const adds = isCorrection && isAdded(field) && 'Adds to what is there'
  const hint = [adds, field.hint].filter(Boolean).join('. ') || undefined
  const refusal = findRefusal(refusals, `payload.${field.key}`)
  const text = { label: field.label, hint, refusal, value: String(value), onInput: onChange }

  switch (field.kind) {
    case 'rows':
      return <RowsField {...props} field={field} hint={hint} />
    case 'platforms':
    case 'game':
    case 'games':
    case 'relations':
      return <EntriesField {...props} hint={hint} />
    case 'image':
    case 'images':
      return (
        <div class="stack tight">
          {field.kind === 'image' ? <TextField {...text} type="url" /> : <TextArea {...text} rows={2} />}
          <div class="row">
            {toLines(text.value).map((src, index) => (
              <ImagePreview
                key={`${index} ${src}`}
                src={src}
                name={field.kind === 'image' ? field.label : `${field.label} ${index + 1}`}
              />
            ))}
          </div>
        </div>
      )
    case 'long':
      return <TextArea {...text} rows={5} />
    case 'lines':
    case 'links':
      return <TextArea {...text} rows={2} />
    case 'date':
      return <TextField {...text} type="date" />
    default:
      return <TextField {...text} />
  }
}
