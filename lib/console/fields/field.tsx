import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

export interface LabelProps {
  label: string
  hint?: string | undefined
  /** The service's refusal of this field. */
  refusal?: string | undefined
}

interface FieldProps extends LabelProps {
  /** Draws the control with these attributes. */
  children: (control: FieldControl) => ComponentChildren
}

/** A control with its label and hint, and below it the service's refusal of its value. */
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
