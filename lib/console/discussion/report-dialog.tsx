import { useState } from 'preact/hooks'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import type { ReportReason } from '../../contract/reports.ts'
import { TextArea } from '../fields/field.tsx'
import { notify } from '../notices.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { REASONS, REPORT_REASONS } from '../reports/report-words.ts'
import { request } from '../session.ts'
import { nameAuthor } from './comment-content.tsx'

interface ReportDialogProps {
  comment: Comment
  live: LiveDiscussion
  onClose(): void
}

/** Reports a comment. Reason and note are optional: Enter sends at once. */
export function ReportDialog({ comment, live, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState<ReportReason>()
  const [note, setNote] = useState('')

  async function send() {
    const text = note.trim()
    const answer = await request(live.report(comment._id, { ...(reason && { reason }), ...(text && { note: text }) }))
    if (!answer.ok) return answer.error
    notify('Reported. An admin will look at it')
    onClose()
    return undefined
  }

  return (
    <Dialog title={`Report the comment by ${nameAuthor(comment)}`} onClose={onClose}>
      <Form action="Send the report" send={send}>
        <fieldset class="row">
          <legend>Reason (optional)</legend>
          {REASONS.map((value) => (
            <label key={value} class="row nowrap check">
              <input type="radio" name="reason" checked={reason === value} onChange={() => setReason(value)} />
              {REPORT_REASONS[value]}
            </label>
          ))}
        </fieldset>
        <TextArea label="Note (optional)" rows={2} value={note} onInput={setNote} />
      </Form>
    </Dialog>
  )
}
