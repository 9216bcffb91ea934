import { Field, type LabelProps } from './field.tsx'

interface TextProps extends LabelProps {
  placeholder?: string | undefined
  disabled?: boolean | undefined
  value: string
  onInput(value: string): void
}

/** Several lines of text with their label and refusal. */
export const TextArea = ({ label, hint, refusal, onInput, ...area }: TextProps & { rows: number }) => (
  <Field label={label} hint={hint} refusal={refusal}>
    {(control) => <textarea {...area} {...control} onInput={(event) => onInput(event.currentTarget.value)} />}
  </Field>
)

interface TextFieldProps extends TextProps {
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'url'
  autocomplete?: 'email' | 'username' | 'current-password' | 'new-password'
}

/** One line of text with its label and refusal. */
export const TextField = ({ label, hint, refusal, type = 'text', onInput, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} refusal={refusal}>
    {(control) => (
      <input
        // Preact's types have one variant for each input type, and accept no union of them.
        type={type as 'text'}
        autocomplete={type === 'search' ? 'off' : undefined}
        {...input}
        {...control}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
)
