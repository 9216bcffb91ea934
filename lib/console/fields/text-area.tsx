import { Field } from './field.tsx'

interface TextAreaProps {
  label: string
  hint?: string | undefined
  refusal?: string | undefined
  placeholder?: string | undefined
  rows?: number | undefined
  disabled?: boolean | undefined
  value: string
  onInput(value: string): void
}

/** Several lines of text with their label and refusal. */
export const TextArea = ({ label, hint, refusal, onInput, ...area }: TextAreaProps) => (
  <Field label={label} hint={hint} refusal={refusal}>
    {(control) => <textarea rows={4} {...area} {...control} onInput={(event) => onInput(event.currentTarget.value)} />}
  </Field>
)
