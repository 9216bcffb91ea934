import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { notify } from '../notices.ts'
import { Button, Refusal } from '../parts/basics.tsx'

interface FieldControl {
  id: string
  dir: 'auto'
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

export interface LabelProps {
  label: string
  hint?: string | undefined
  refusal?: string | undefined
}

type FieldProps = LabelProps & { children(control: FieldControl): ComponentChildren }

export function Field({ label, hint, refusal, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, refusal && `${id}-refusal`].filter(Boolean).join(' ')

  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        dir: 'auto',
        'aria-describedby': described || undefined,
        'aria-invalid': refusal === undefined ? undefined : 'true',
      })}
      {refusal && (
        <p class="refusal" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
    </div>
  )
}

/** A field in a `Form` has a `name`, by which the form reads it. A field elsewhere has a `value`. */
interface TextProps extends LabelProps {
  name?: string
  required?: boolean
  placeholder?: string | undefined
  disabled?: boolean | undefined
  value?: string
  defaultValue?: string
  onInput?(value: string): void
}

export const TextArea = ({ label, hint, refusal, onInput, ...area }: TextProps & { rows: number }) => (
  <Field label={label} hint={hint} refusal={refusal}>
    {(control) => <textarea {...area} {...control} onInput={(event) => onInput?.(event.currentTarget.value)} />}
  </Field>
)

interface TextFieldProps extends TextProps {
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'url'
  autocomplete?: 'email' | 'username' | 'current-password' | 'new-password'
}

export const TextField = ({ label, hint, refusal, type = 'text', onInput, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} refusal={refusal}>
    {(control) => (
      <input
        // Preact's types have one variant for each input type, and accept no union of them.
        type={type as 'text'}
        autocomplete={type === 'search' ? 'off' : undefined}
        {...input}
        {...control}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
    )}
  </Field>
)

export const PasswordField = ({ isNew = false, ...props }: LabelProps & { name: string; isNew?: boolean }) => (
  <TextField
    hint={isNew ? '8 to 200 characters' : undefined}
    {...props}
    type="password"
    autocomplete={isNew ? 'new-password' : 'current-password'}
  />
)

interface CheckboxProps {
  label: string
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

interface SelectProps<T extends string> extends LabelProps {
  value: T
  options: readonly { value: T; name: string }[]
  onChange(value: T): void
}

export function Select<T extends string>({ label, value, options, onChange, hint, refusal }: SelectProps<T>) {
  function choose(chosen: string) {
    const option = options.find((candidate) => candidate.value === chosen)
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

export const submitTo = (send: () => unknown) => (event: Event) => {
  event.preventDefault()
  void send()
}

export type Outcome = { ok: true } | { ok: false; error: Error }

interface FormProps {
  action: string
  /** Sends the values of the fields by their names. */
  send(values: Readonly<Record<string, string>>): Promise<Outcome | undefined>
  /** The notice that the form was sent. */
  notice?: string
  onSent?(): unknown
  disabled?: boolean
  aside?: ComponentChildren
  children: ComponentChildren
}

const isBlank = (field: Element) => 'value' in field && String(field.value).trim() === ''

/** A form that sends once at a time, while no required field is blank. Its fields are reset after sending. */
export function Form({ action, send, notice, onSent, disabled = false, aside, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const [isFilled, setFilled] = useState(true)
  const check = () => setFilled(![...(form.current?.querySelectorAll('[required]') ?? [])].some(isBlank))
  useLayoutEffect(check, [])
  useEffect(() => setRefusal(undefined), [action])

  async function submit() {
    if (form.current === null || isBusy) return
    setBusy(true)
    // Screen readers do not repeat an unchanged alert at the second refusal.
    setRefusal(undefined)
    const values = [...new FormData(form.current)].map(([name, value]) => [name, String(value)])
    const outcome = await send(Object.fromEntries(values)).finally(() => setBusy(false))
    if (!outcome?.ok) return setRefusal(outcome?.error)
    form.current?.reset()
    check()
    if (notice) notify(notice)
    onSent?.()
  }
  return (
    <form ref={form} class="stack" noValidate onInput={check} onSubmit={submitTo(submit)}>
      {children}
      <Refusal text={refusal && describeError(refusal)} />
      <div class="row">
        <Button type="submit" class="primary" disabled={disabled || isBusy || !isFilled} text={action} />
        {aside}
      </div>
    </form>
  )
}
