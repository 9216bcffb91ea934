import { Field, type LabelProps } from './field.tsx'

interface SelectProps<T extends string> extends LabelProps {
  value: T
  options: readonly { value: T; name: string }[]
  onChange(value: T): void
}

/** A native select; its role is `combobox`. */
export function Select<T extends string>({ label, value, options, onChange, hint, refusal }: SelectProps<T>) {
  function choose(chosen: string) {
    const option = options.find((each) => each.value === chosen)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <Field label={label} hint={hint} refusal={refusal}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => choose(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
