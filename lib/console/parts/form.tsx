import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { notify } from '../notices.ts'
import { Button, Refusal } from './basics.tsx'

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
