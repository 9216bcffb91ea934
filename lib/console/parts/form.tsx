import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Refusal } from './problem.tsx'

interface FormProps {
  /** The name of the button that sends it. */
  action: string
  disabled?: boolean
  /** The service's refusal of the form as a whole. */
  refusal?: string | undefined
  onSubmit(): unknown
  /** Content beside the button. */
  aside?: ComponentChildren
  children: ComponentChildren
}

/** A form of fields one below the other, with the button that sends it. */
export const Form = ({ action, disabled, refusal, onSubmit, aside, children }: FormProps) => (
  <form
    class="stack"
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  >
    {children}
    <Refusal text={refusal} />
    <div class="row">
      <Button type="submit" class="primary" disabled={disabled} text={action} />
      {aside}
    </div>
  </form>
)
