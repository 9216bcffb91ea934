import { useState } from 'preact/hooks'
import { Form, Select, TextArea } from '../fields/field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { call } from '../session.ts'

const DAY_MS = 24 * 60 * 60_000
const DURATIONS = [
  { value: '1', name: '1 day' },
  { value: '7', name: '7 days' },
  { value: '30', name: '30 days' },
  { value: 'forever', name: 'For good' },
] as const
type Duration = (typeof DURATIONS)[number]['value']

interface SuspendDialogProps {
  user: { _id: string; userName: string }
  reason?: string
  onClose(): void
}

export function SuspendDialog({ user, reason, onClose }: SuspendDialogProps) {
  const [duration, setDuration] = useState<Duration>('7')

  function send({ reason = '' }) {
    const until = duration === 'forever' ? null : new Date(Date.now() + Number(duration) * DAY_MS).toISOString()
    return call('PUT /users/:id/suspension', { params: { id: user._id }, body: { until, reason } })
  }

  return (
    <Dialog title={`Suspend ${user.userName}`} onClose={onClose}>
      <Form action="Suspend" send={send} notice={`${user.userName} is suspended`} onSent={onClose}>
        <Select<Duration> label="How long" value={duration} options={DURATIONS} onChange={setDuration} />
        <TextArea label="Reason, which the user reads" name="reason" required rows={3} defaultValue={reason ?? ''} />
      </Form>
    </Dialog>
  )
}
