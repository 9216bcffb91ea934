import type { Ref } from 'preact'
import { Checkbox } from '../fields/checkbox.tsx'
import { TextArea } from '../fields/text-area.tsx'
import { Button } from '../parts/button.tsx'

interface DecisionFormProps {
  form: Ref<HTMLFormElement>
  /** The number of picked fields. */
  picked: number
  total: number
  isGame: boolean
  disabled: boolean
  isLocked: boolean
  reason: string
  onLock(isLocked: boolean): void
  onReason(reason: string): void
  onApprove(): void
  onReject(): void
}

/** The form that approves or rejects a pending request. */
export function DecisionForm({ form, picked, total, isGame, disabled, isLocked, reason, ...on }: DecisionFormProps) {
  return (
    <form class="row decision-form" ref={form} onSubmit={(event) => event.preventDefault()}>
      <Button
        class="primary"
        disabled={disabled || picked === 0}
        onClick={on.onApprove}
        text={`Approve ${picked} of ${total}`}
      />
      {isGame && (
        <Checkbox label="Stop parsing for this game" checked={isLocked} disabled={disabled} onChange={on.onLock} />
      )}
      <TextArea
        label="Reason"
        placeholder="A rejection needs one"
        rows={1}
        disabled={disabled}
        value={reason}
        onInput={on.onReason}
      />
      <Button class="danger" disabled={disabled || reason.trim() === ''} onClick={on.onReject} text="Reject" />
    </form>
  )
}
