import { useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { TextField } from '../fields/text-field.tsx'
import { hall, settle } from '../hall.ts'
import { notify } from '../notices.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'

/** The dialog that sets a new password; every other session of the user ends. */
export function ChangePassword({ onClose }: { onClose(): void }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit() {
    setBusy(true)
    const answer = await settle(hall.call('PUT /auth/password', { body: { currentPassword, newPassword } }))
    setBusy(false)
    if (!answer.ok) return setRefusal(describeError(answer.error))
    notify('The password is changed. Every other device is signed out')
    onClose()
  }

  return (
    <Dialog title="Change password" onClose={onClose}>
      <Form action="Change password" disabled={isBusy} refusal={refusal} onSubmit={submit}>
        <TextField
          label="Current password"
          type="password"
          autocomplete="current-password"
          value={currentPassword}
          onInput={setCurrent}
        />
        <TextField
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="8 to 200 characters. Every other device is signed out"
          value={newPassword}
          onInput={setNew}
        />
      </Form>
    </Dialog>
  )
}
