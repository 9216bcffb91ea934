import type { Notification, RequestFacts } from '../../contract/notifications.ts'
import { formatCount, formatList } from '../format.ts'
import { fieldLabel } from '../requests/describe-request.ts'
import { linkTo } from '../route.ts'

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
export function describeNotification({ actors, gameName, facts }: Notification): string {
  const game = gameName ?? 'a deleted game'
  if (facts === null) return `${describeActors(actors)} replied to you in ${game}`
  return 'kind' in facts ? describeRequest(facts) : `${MODERATION[facts.status]} ${game}`
}

/** The address of what a notification is about. */
export function linkToSubject({ type, gameId, gameSlug, commentId }: Notification): string {
  if (type === 'request') return '#/my-requests'
  const game = gameSlug ?? gameId ?? ''
  return commentId === null ? linkTo('games', game) : linkTo('games', game, 'comments', commentId)
}
