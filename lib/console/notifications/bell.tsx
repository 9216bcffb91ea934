import { useEffect, useState } from 'preact/hooks'
import type { LiveNotifications } from '../../client/live-notifications.ts'
import { REASON_OF_REPORTS } from '../../contract/limits.ts'
import type { Notification, NotificationPayload } from '../../contract/notifications.ts'
import { describeError } from '../describe-error.ts'
import { formatCount, formatExactTime, formatList, formatNumber } from '../format.ts'
import { Busy, Button, Empty, Icon, IconButton, PersonName, unreadCount as shownCount, Time } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLive, useQuery, useStore } from '../parts/query.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { linkTo } from '../route.ts'
import { attempt, hall, isAdmin } from '../session.ts'

/** The newest requests of the user say whether a notification is about a proposal or a correction. */
const OWN_REQUESTS_READ = 50

const DELETED_GAME = 'a deleted game'

const listFields = (fields: readonly string[]) => formatList(fields.map((field) => fieldLabel(field).toLowerCase()))

function describeActors({ actors: [newest], actorsCount }: Notification): string {
  if (newest === undefined) return 'A deleted user'
  return actorsCount > 1 ? `${newest.userName} and ${formatCount(actorsCount - 1, 'other')}` : newest.userName
}

const REQUESTS = { add: 'proposal of', update: 'correction of', unknown: 'request for' } as const
type RequestAction = keyof typeof REQUESTS

function describeRequest(payload: NotificationPayload, action: RequestAction) {
  const { decision, requestKind, requestName, appliedFields, leftOut, failedFields, reason } = payload
  const subject = `Your ${REQUESTS[action]} ${requestName ?? `a ${requestKind}`}`
  if (decision === 'reject') return `${subject} was rejected${reason ? `: ${reason}` : ''}`
  const parts = [
    appliedFields?.length && listFields(appliedFields),
    failedFields?.length && `the ${listFields(failedFields)} could not be copied`,
    leftOut?.length && `left out: ${listFields(leftOut)}`,
    reason,
  ].filter(Boolean)
  return `${subject} was approved${parts.length > 0 ? `: ${parts.join('; ')}` : ''}`
}

const MODERATION = { hidden: 'hid', visible: 'approved', deleted: 'deleted' } as const

/** `your comment in Ikaruga`, or `30 of your comments` of an act on many, which names none of them. */
function describeModeration({ status, commentId, count, gameName, reason }: NotificationPayload): string {
  const many = `${formatNumber(count)} of your comments`
  const subject = commentId === null ? many : `your comment in ${gameName ?? DELETED_GAME}`
  if (reason === REASON_OF_REPORTS) return `Several reports hid ${subject} until a moderator decides`
  return `A moderator ${MODERATION[status ?? 'hidden']} ${subject}${reason ? `: ${reason}` : ''}`
}

function describeReports({ outcome, count }: NotificationPayload): string {
  const [subject, them] = count > 1 ? [`${formatNumber(count)} comments`, 'them'] : ['a comment', 'it']
  if (outcome === 'kept') return `A moderator looked at ${subject} that you reported, and kept ${them}`
  return `A moderator acted on ${subject} that you reported`
}

/** A notification as one sentence without its full stop. */
function describeNotification(notification: Notification, action: RequestAction): string {
  const { type, payload } = notification
  switch (type) {
    case 'comment-reply':
      return `${describeActors(notification)} replied to you in ${payload.gameName ?? DELETED_GAME}`
    case 'request-decided':
      return describeRequest(payload, action)
    case 'comment-moderated':
      return describeModeration(payload)
    case 'report-decided':
      return describeReports(payload)
    case 'account-suspended':
      return `Your account is suspended ${payload.until ? `until ${formatExactTime(payload.until)}` : 'for good'}: ${payload.reason}`
  }
}

function linkToSubject({ type, payload: { gameId, gameSlug, commentId, requestId } }: Notification): string {
  if (type === 'request-decided') return `#/my-requests?request=${requestId}`
  const game = gameSlug ?? gameId
  if (game === null) return '#/'
  return commentId === null ? linkTo('games', game) : linkTo('games', game, 'comments', commentId)
}

interface RowProps {
  notification: Notification
  action: RequestAction
  live: LiveNotifications
  onFollow(): void
}

function Row({ notification, action, live, onFollow }: RowProps) {
  const { _id, type, isRead, updatedAt } = notification
  const { count, excerpt } = notification.payload
  const sentence = describeNotification(notification, action)

  function follow() {
    if (!isRead) void attempt(live.markRead([_id]))
    onFollow()
  }
  return (
    <li class={`row nowrap spread notification ${isRead ? '' : 'flag'}`}>
      <div>
        <a class="clamped" href={linkToSubject(notification)} dir="auto" onClick={follow}>
          {!isRead && <span class="hidden">Unread: </span>}
          {sentence}
        </a>
        <p class="muted">
          <Time at={updatedAt} />
          {type === 'comment-reply' && count > 1 && ` · ${formatCount(count, 'reply', 'replies')}`}
          {isAdmin.value &&
            notification.actors.map(({ _id, userName }) => (
              <span key={_id}>
                {' '}
                · <PersonName id={_id} name={userName} onFollow={onFollow} />
              </span>
            ))}
        </p>
        {excerpt && (
          <p class="clamped" dir="auto">
            {excerpt}
          </p>
        )}
      </div>
      <IconButton icon="close" label={`Remove: ${sentence}`} onClick={() => attempt(live.remove(_id))} />
    </li>
  )
}

function NotificationsDialog({ live, onClose }: { live: LiveNotifications; onClose(): void }) {
  const { status, rows, unreadCount, hasMore, error } = useStore(live)
  const hasRequests = rows.some(({ type }) => type === 'request-decided')
  const { answer } = useQuery('GET /requests/mine', hasRequests ? { query: { take: OWN_REQUESTS_READ } } : null)
  const actions = new Map(answer?.results.map((own) => [own._id, own.action]))

  return (
    <Dialog title="Notifications" onClose={onClose}>
      {status === 'loading' && <Busy />}
      {error && <Empty title={describeError(error)} />}
      {status === 'ready' && rows.length === 0 && (
        <Empty title="No notifications yet.">
          Replies to your comments and decisions on your requests appear here.
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="row">
          <Button
            class="small"
            disabled={unreadCount === 0}
            onClick={() => attempt(live.markAllRead())}
            text="Mark all as read"
          />
        </div>
      )}
      <ul class="stack tight" aria-label="Notifications">
        {rows.map((notification) => (
          <Row
            key={notification._id}
            notification={notification}
            action={actions.get(notification.payload.requestId ?? '') ?? 'unknown'}
            live={live}
            onFollow={onClose}
          />
        ))}
      </ul>
      {hasMore && <Button class="more" onClick={() => live.more()} text="Older notifications" />}
    </Dialog>
  )
}

/** The button that opens the notifications. It shows the number of unread ones, as does the page's title. */
export function Bell() {
  const { live, state } = useLive(() => hall.notifications(), [])
  const { unreadCount } = state
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    shownCount.value = unreadCount
    return () => {
      shownCount.value = 0
    }
  }, [unreadCount])

  return (
    <>
      <button
        type="button"
        class="quiet icon-only bell"
        aria-label={unreadCount > 0 ? `Notifications, ${formatNumber(unreadCount)} unread` : 'Notifications'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" />
        {unreadCount > 0 && <span class="count">{formatNumber(unreadCount)}</span>}
      </button>
      {isOpen && <NotificationsDialog live={live} onClose={() => setOpen(false)} />}
    </>
  )
}
