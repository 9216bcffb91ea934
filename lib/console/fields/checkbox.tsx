interface CheckboxProps {
  label: string
  /** The accessible name when the label alone is not clear. */
  name?: string
  checked: boolean
  disabled?: boolean
  onChange(isChecked: boolean): void
}

export const Checkbox = ({ label, name, onChange, ...input }: CheckboxProps) => (
  <label class="row nowrap check">
    <input type="checkbox" aria-label={name} {...input} onChange={(event) => onChange(event.currentTarget.checked)} />
    {label}
  </label>
)
