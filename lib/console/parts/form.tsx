import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { Button, Refusal } from './basics.tsx'

/** Handles a form that is sent by its buttons or Enter. */
export const submitTo = (send: () => unknown) => (event: Event) => {
  event.preventDefault()
  void send()
}

interface FormProps {
  action: string
  disabled?: boolean
  send(): Promise<Error | undefined>
  aside?: ComponentChildren
  children: ComponentChildren
}

/** A form of fields one below the other, with the button that sends it, once, and the service's refusal. */
export function Form({ action, disabled = false, send, aside, children }: FormProps) {
  const [refusal, setRefusal] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => setRefusal(undefined), [action])

  async function submit() {
    setBusy(true)
    // Screen readers do not repeat an unchanged alert at the second refusal.
    setRefusal(undefined)
    try {
      setRefusal(await send())
    } finally {
      setBusy(false)
    }
  }
  return (
    <form class="stack" noValidate onSubmit={submitTo(() => isBusy || submit())}>
      {children}
      <Refusal text={refusal && describeError(refusal)} />
      <div class="row">
        <Button type="submit" class="primary" disabled={disabled || isBusy} text={action} />
        {aside}
      </div>
    </form>
  )
}
