import type { Document } from 'mongodb'
import { NOTIFICATION_ACTORS_MAX } from '../../../contract/limits.ts'
import { ModerationFacts, RequestFacts } from '../../../contract/notifications.ts'
import { importMark, SITE_COLLECTIONS } from '../import-run.ts'
import { toId, toIds, toNumber, toText, toTimes } from '../site-values.ts'
import { insertion, type Part, type Plan } from '../take-part.ts'

const textsIn = (list: unknown) => (Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [])

const toRequestFacts = (payload: Document) => ({
  kind: payload.requestKind ?? 'game',
  action: payload.requestAction ?? 'add',
  name: toText(payload.requestName),
  status: String(payload.decision).startsWith('approve') ? 'approved' : 'rejected',
  appliedFields: textsIn(payload.appliedFields),
  leftOut: textsIn(payload.leftOut),
  failedFields: textsIn(payload.failedFields),
  reason: toText(payload.reason),
})

/** The types of the site that there are here, and the facts of each. */
const TYPES = new Map([
  ['comment-reply', { type: 'reply', readFacts: () => null }],
  [
    'request-decided',
    { type: 'request', readFacts: (payload: Document) => RequestFacts.parse(toRequestFacts(payload)) },
  ],
  ['comment-moderated', { type: 'moderation', readFacts: (payload: Document) => ModerationFacts.parse(payload) }],
])

export const NOTIFICATIONS: Part = {
  name: 'notifications',
  from: SITE_COLLECTIONS.notifications,
  into: 'notifications',
  async plan(documents, run) {
    const actorIds = documents.map(({ actors }) =>
      toIds(Array.isArray(actors) ? actors.map((actor) => actor?._id ?? actor) : []).slice(0, NOTIFICATION_ACTORS_MAX),
    )
    const named = [...documents.map(({ userId }) => toId(userId)), ...actorIds.flat()]
    const users = await run.lookUp('users', named, ['userName'])
    return documents.map((document, index): Plan => {
      const { _id, payload = {} } = document
      const userId = toId(document.userId)
      const known = TYPES.get(document.type)
      if (known === undefined) return { leftOut: 'its type is unknown here', detail: String(document.type) }
      if (userId === null || !users.has(userId.toHexString())) return { leftOut: 'its user is missing' }
      const actors = (actorIds[index] ?? []).flatMap((id) => {
        const userName = toText(users.get(id.toHexString())?.userName)
        return userName === null ? [] : { _id: id, userName }
      })
      try {
        const notification = {
          _id,
          userId,
          type: known.type,
          // Of its own, so that no later notification grows it: which comment was answered is not known.
          key: `import:${_id.toHexString()}`,
          count: Math.max(1, Math.floor(toNumber(payload.count ?? document.actorsCount) ?? 1)),
          actors,
          gameId: toId(payload.gameId),
          commentId: toId(payload.commentId),
          requestId: toId(payload.requestId),
          facts: known.readFacts(payload),
          isRead: document.isRead === true,
          ...toTimes(document),
          rev: 1,
          sentBy: importMark(),
        }
        return { writes: [insertion('notifications', notification)] }
      } catch {
        return { leftOut: 'what it tells is unknown here' }
      }
    })
  },
}
