import type { Document } from 'mongodb'
import { NOTIFICATION_ACTORS_MAX } from '../../../contract/limits.ts'
import { COMMON_TYPES } from '../../../contract/notifications.ts'
import { ModerationFacts, RequestFacts } from '../../../infrastructure/db/collections/notifications.ts'
import type { ImportRun, SiteDocument } from '../import-run.ts'
import { toId, toIds, toNumber, toText, toTimes } from '../site-values.ts'
import type { Part, Plan } from '../take-part.ts'

const textsIn = (list: unknown) => (Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [])

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

const FACTS: Record<(typeof COMMON_TYPES)[number], (payload: Document) => object | null> = {
  'comment-reply': () => null,
  'request-decided': (payload) => RequestFacts.parse(toRequestFacts(payload)),
  'comment-moderated': (payload) => ModerationFacts.parse(payload),
}

/** Moves times of notifications to the next millisecond in which their user has no other, stored or of this batch. */
async function spreadTimes({ db }: ImportRun, documents: readonly SiteDocument[]): Promise<Date[]> {
  const rows = documents.map((document) => {
    return { userId: toId(document.userId) ?? document._id, updatedAt: toTimes(document).updatedAt }
  })
  const toKey = ({ userId, updatedAt }: (typeof rows)[number]) => `${userId} ${updatedAt.getTime()}`
  const stored = new Set<string>()
  for (;;) {
    const taken = new Set(stored)
    for (const row of rows) {
      while (taken.has(toKey(row))) row.updatedAt = new Date(row.updatedAt.getTime() + 1)
      taken.add(toKey(row))
    }
    const found = await db.notifications.find({ $or: rows }, { projection: { userId: 1, updatedAt: 1 } }).toArray()
    if (found.length === 0) return rows.map(({ updatedAt }) => updatedAt)
    for (const row of found) stored.add(toKey(row))
  }
}

export const NOTIFICATIONS: Part = {
  of: 'notifications',
  async plan(documents, run) {
    const actorIds = documents.map(({ actors }) =>
      toIds(Array.isArray(actors) ? actors.map((actor) => actor?._id ?? actor) : []).slice(0, NOTIFICATION_ACTORS_MAX),
    )
    const named = [...documents.map(({ userId }) => userId), ...actorIds.flat()]
    const times = await spreadTimes(run, documents)
    const findUser = await run.lookUp('users', named, ['userName'])
    return documents.map((document, index): Plan => {
      const { _id, payload = {} } = document
      const userId = findUser(document.userId)?._id
      const type = COMMON_TYPES.find((common) => common === document.type)
      if (type === undefined) return { leftOut: 'its type is unknown here', detail: String(document.type) }
      if (userId === undefined) return { leftOut: 'its user is missing' }
      const actors = (actorIds[index] ?? []).flatMap((id) => {
        const userName = toText(findUser(id)?.userName)
        return userName === null ? [] : { _id: id, userName }
      })
      try {
        const notification = {
          _id,
          userId,
          type,
          // No later notification is grouped with this one: the comment that was replied to is unknown.
          key: `import:${_id.toHexString()}`,
          count: Math.max(1, Math.floor(toNumber(payload.count ?? document.actorsCount) ?? 1)),
          actors,
          actorsCount: Math.max(actors.length, Math.floor(toNumber(document.actorsCount) ?? 0)),
          gameId: toId(payload.gameId),
          commentId: toId(payload.commentId),
          requestId: toId(payload.requestId),
          facts: FACTS[type](payload),
          isRead: document.isRead === true,
          createdAt: toTimes(document).createdAt,
          updatedAt: times[index],
          rev: 1,
        }
        return { document: notification }
      } catch {
        return { leftOut: 'what it tells is unknown here' }
      }
    })
  },
}
