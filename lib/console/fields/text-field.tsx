import { Field } from './field.tsx'

interface TextFieldProps {
  label: string
  hint?: string | undefined
  refusal?: string | undefined
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'url' | undefined
  autocomplete?: 'email' | 'username' | 'current-password' | 'new-password' | 'off' | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  value: string
  onInput(value: string): void
}

/** One line of text with its label and refusal. */
export const TextField = ({ label, hint, refusal, type = 'text', onInput, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} refusal={refusal}>
    {(control) => (
      <input
        // Preact's types have one variant for each input type, and accept no union of them.
        type={type as 'text'}
        {...input}
        {...control}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
)
