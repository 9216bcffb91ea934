import { Select } from '../fields/select.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Button } from '../parts/button.tsx'
import { createRow, type Draft, type DraftRow } from './draft.ts'
import { listColumns, type ProposalField, REGIONS, type RowColumn } from './fields.ts'
import type { Refusals } from './refusals.ts'
import { usePlatforms } from './use-platforms.ts'

interface RowCellProps {
  column: RowColumn
  value: string | boolean
  refusal: string | undefined
  onChange(value: string | boolean): void
}

function RowCell({ column: { kind, label }, value, refusal, onChange }: RowCellProps) {
  const platforms = usePlatforms()
  if (kind === 'flag') {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {label}
      </label>
    )
  }
  if (kind === 'platform' || kind === 'region') {
    const options =
      kind === 'platform'
        ? platforms.map(({ _id, name }) => ({ value: _id, name }))
        : REGIONS.map((name, index) => ({ value: String(index + 1), name }))
    return (
      <Select
        label={label}
        refusal={refusal}
        value={String(value)}
        options={[{ value: '', name: kind === 'platform' ? 'Choose one' : 'Not specified' }, ...options]}
        onChange={onChange}
      />
    )
  }
  return (
    <TextField
      label={label}
      refusal={refusal}
      type={kind === 'date' ? 'date' : 'text'}
      value={String(value)}
      onInput={onChange}
    />
  )
}

interface RowsFieldProps {
  draft: Draft
  refusals: Refusals
  onChange(draft: Draft): void
  field: Extract<ProposalField, { kind: 'rows' }>
  hint: string | undefined
}

/** A list of rows, each of the same columns. */
export function RowsField({ field, hint, draft, refusals, onChange }: RowsFieldProps) {
  const { key, label, row: rowName } = field
  const columns = listColumns(field)
  const rows = draft.rows[key] ?? []
  const setRows = (changed: readonly DraftRow[]) => onChange({ ...draft, rows: { ...draft.rows, [key]: changed } })
  const own = refusals.get(`payload.${key}`)

  return (
    <fieldset class="stack">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {rows.map((row, index) => (
        <fieldset class="grid row-fields" key={row.id} aria-label={`${rowName} ${index + 1}`}>
          {columns.map((column) => (
            <RowCell
              key={column.key}
              column={column}
              value={row.values[column.key] ?? ''}
              refusal={refusals.get(`payload.${key}.${index}.${column.key}`)}
              onChange={(value) =>
                setRows(
                  rows.map((each) =>
                    each.id === row.id ? { ...each, values: { ...each.values, [column.key]: value } } : each,
                  ),
                )
              }
            />
          ))}
          {refusals.has(`payload.${key}.${index}`) && <p class="refusal">{refusals.get(`payload.${key}.${index}`)}</p>}
          <Button
            class="small"
            aria-label={`Remove ${rowName} ${index + 1}`}
            onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
            text="Remove"
          />
        </fieldset>
      ))}
      {own && <p class="refusal">{own}</p>}
      <Button class="small" onClick={() => setRows([...rows, createRow(columns)])} text={`Add ${rowName}`} />
    </fieldset>
  )
}
