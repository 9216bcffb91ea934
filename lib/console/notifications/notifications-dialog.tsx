import type { LiveNotifications } from '../../client/live-notifications.ts'
import type { Notification, RequestFacts } from '../../contract/notifications.ts'
import { describeError } from '../describe-error.ts'
import { formatCount, formatList } from '../format.ts'
import { useStore } from '../hooks/use-live.ts'
import { notifyError } from '../notices.ts'
import { Busy, Button, Empty, IconButton, Time } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { linkTo } from '../route.ts'
import { request } from '../session.ts'

const listFields = (fields: readonly string[]) => formatList(fields.map((field) => fieldLabel(field).toLowerCase()))

function describeActors(actors: Notification['actors']): string {
  const [first, ...others] = actors
  if (first === undefined) return 'A deleted user'
  if (others.length === 0) return first.userName
  return `${first.userName} and ${formatCount(others.length, 'other')}`
}

function describeRequest({ kind, action, name, status, appliedFields, leftOut, failedFields, reason }: RequestFacts) {
  const entry = name ?? `a ${kind}`
  const subject = action === 'update' ? `Your correction of ${entry}` : `Your proposal of ${entry}`
  if (status === 'rejected') return `${subject} was rejected${reason ? `: ${reason}` : ''}`
  const parts = [
    appliedFields.length > 0 && listFields(appliedFields),
    failedFields.length > 0 && `the ${listFields(failedFields)} could not be copied`,
    leftOut.length > 0 && `left out: ${listFields(leftOut)}`,
    reason,
  ].filter(Boolean)
  return `${subject} was approved${parts.length > 0 ? `: ${parts.join('; ')}` : ''}`
}

const MODERATION = {
  hidden: 'A moderator hid your comment in',
  visible: 'A moderator showed your comment again in',
  deleted: 'A moderator deleted your comment in',
} as const

/** A notification as one sentence without its full stop. */
function describeNotification({ actors, gameName, facts }: Notification): string {
  const game = gameName ?? 'a deleted game'
  if (facts === null) return `${describeActors(actors)} replied to you in ${game}`
  return 'kind' in facts ? describeRequest(facts) : `${MODERATION[facts.status]} ${game}`
}

function linkToSubject({ type, gameId, gameSlug, commentId, requestId }: Notification): string {
  if (type === 'request') return `#/my-requests?request=${requestId}`
  const game = gameSlug ?? gameId ?? ''
  return commentId === null ? linkTo('games', game) : linkTo('games', game, 'comments', commentId)
}

interface RowProps {
  notification: Notification
  live: LiveNotifications
  onFollow(): void
}

async function report(change: ReturnType<LiveNotifications['markRead'] | LiveNotifications['remove']>) {
  const answer = await request(change)
  if (!answer.ok) notifyError(answer.error)
}

function Row({ notification, live, onFollow }: RowProps) {
  const { _id, type, count, excerpt, isRead, updatedAt } = notification
  const sentence = describeNotification(notification)

  function follow() {
    if (!isRead) void report(live.markRead([_id]))
    onFollow()
  }
  return (
    <li class={`row nowrap spread notification ${isRead ? '' : 'unread'}`}>
      <div>
        <a class="clamped" href={linkToSubject(notification)} dir="auto" onClick={follow}>
          {!isRead && <span class="hidden">Unread: </span>}
          {sentence}
        </a>
        <p class="muted">
          <Time at={updatedAt} />
          {type === 'reply' && count > 1 && ` · ${formatCount(count, 'reply', 'replies')}`}
        </p>
        {excerpt && (
          <p class="clamped" dir="auto">
            {excerpt}
          </p>
        )}
      </div>
      <IconButton icon="close" label={`Remove: ${sentence}`} onClick={() => void report(live.remove(_id))} />
    </li>
  )
}

export function NotificationsDialog({ live, onClose }: { live: LiveNotifications; onClose(): void }) {
  const { status, rows, unread, hasMore, error } = useStore(live)

  return (
    <Dialog title="Notifications" onClose={onClose}>
      {status === 'loading' && <Busy />}
      {error && <Empty title={describeError(error)} />}
      {status === 'ready' && rows.length === 0 && (
        <Empty icon="bell" title="No notifications yet.">
          Replies to your comments and decisions on your requests appear here.
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="row">
          <Button
            class="small"
            disabled={unread === 0}
            onClick={() => void report(live.markAllRead())}
            text="Mark all as read"
          />
        </div>
      )}
      <ul class="stack tight" aria-label="Notifications">
        {rows.map((notification) => (
          <Row key={notification._id} notification={notification} live={live} onFollow={onClose} />
        ))}
      </ul>
      {hasMore && <Button class="more" onClick={() => live.more()} text="Older notifications" />}
    </Dialog>
  )
}
