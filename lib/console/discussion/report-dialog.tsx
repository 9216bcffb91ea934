import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { Form, TextArea } from '../fields/field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { REASONS, REPORT_REASONS } from '../reports/report-facts.tsx'
import { request } from '../session.ts'
import { nameAuthor } from './comment-content.tsx'

interface ReportDialogProps {
  comment: Comment
  live: LiveDiscussion
  onClose(): void
}

/** Reports a comment. Reason and note are optional: Enter sends at once. */
export const ReportDialog = ({ comment, live, onClose }: ReportDialogProps) => (
  <Dialog title={`Report the comment by ${nameAuthor(comment)}`} onClose={onClose}>
    <Form
      action="Send the report"
      send={({ reason: chosen, note = '' }) => {
        const reason = REASONS.find((value) => value === chosen)
        const text = note.trim()
        return request(live.report(comment._id, { ...(reason && { reason }), ...(text && { note: text }) }))
      }}
      notice="Reported. An admin will look at it"
      onSent={onClose}
    >
      <fieldset class="row">
        <legend>Reason (optional)</legend>
        {REASONS.map((value) => (
          <label key={value} class="row nowrap check">
            <input type="radio" name="reason" value={value} />
            {REPORT_REASONS[value]}
          </label>
        ))}
      </fieldset>
      <TextArea label="Note (optional)" name="note" rows={2} />
    </Form>
  </Dialog>
)
