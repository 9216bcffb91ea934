import { Checkbox } from '../fields/checkbox.tsx'
import { Select } from '../fields/select.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Button } from '../parts/button.tsx'
import { listColumns, type ProposalField, REGIONS, type RowColumn } from './fields.ts'
import type { Refusals } from './refusals.ts'
import { usePlatforms } from './use-platforms.ts'
import { isObject, toList } from './values.ts'

export interface FieldControlProps {
  field: ProposalField
  /** The value of the field in the draft. */
  value: unknown
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
    case 'platform': {
      const options = platforms.map(({ _id, name }) => ({ value: _id, name }))
      return <Select {...control} options={[{ value: '', name: 'Choose one' }, ...options]} onChange={onChange} />
    }
    case 'region': {
      const options = REGIONS.map((name, index) => ({ value: String(index + 1), name }))
      return <Select {...control} options={[{ value: '', name: 'Not specified' }, ...options]} onChange={onChange} />
    }
    default:
      return <TextField {...control} type={kind === 'date' ? 'date' : 'text'} onInput={onChange} />
  }
}

interface RowsFieldProps extends FieldControlProps {
  field: Extract<ProposalField, { kind: 'rows' }>
  hint: string | undefined
}

/** The control of a list of rows, all with the same columns. */
export function RowsField({ field, hint, value, refusals, onChange }: RowsFieldProps) {
  const { key, label, row: rowName } = field
  const rows = toList(value).filter(isObject)
  const findOwn = (...path: readonly (string | number)[]) => refusals.get(['payload', key, ...path].join('.'))

  return (
    <fieldset class="stack">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {rows.map((row, index) => (
        // Drawn anew with each row that comes or goes: a half-typed date is in the element alone.
        <fieldset class="grid row-fields" key={`${index} of ${rows.length}`} aria-label={`${rowName} ${index + 1}`}>
          {listColumns(field).map((column) => (
            <RowCell
              key={column.key}
              column={column}
              value={row[column.key]}
              refusal={findOwn(index, column.key)}
              onChange={(cell) => onChange(rows.with(index, { ...row, [column.key]: cell }))}
            />
          ))}
          {findOwn(index) && <p class="refusal">{findOwn(index)}</p>}
          <Button
            class="small"
            aria-label={`Remove ${rowName} ${index + 1}`}
            onClick={() => onChange(rows.toSpliced(index, 1))}
            text="Remove"
          />
        </fieldset>
      ))}
      {findOwn() && <p class="refusal">{findOwn()}</p>}
      <Button class="small" onClick={() => onChange([...rows, {}])} text={`Add ${rowName}`} />
    </fieldset>
  )
}
