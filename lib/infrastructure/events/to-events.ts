import type { CommentsServerEvents } from '../../contract/namespaces/comments.ts'
import type { ConflictsServerEvents } from '../../contract/namespaces/conflicts.ts'
import type { NotificationsServerEvents } from '../../contract/namespaces/notifications.ts'
import type { RoyalServerEvents } from '../../contract/namespaces/royal.ts'
import type { Change } from './change.ts'
import { IMPORT_INSTANCE } from './sent-by.ts'

interface EventsByCollection {
  comments: keyof CommentsServerEvents | 'reports:changed'
  users: keyof RoyalServerEvents
  conflicts: keyof ConflictsServerEvents
  notifications: Exclude<keyof NotificationsServerEvents, 'reports:changed'>
}

export type EventName = EventsByCollection[keyof EventsByCollection]

type LiveChange = Pick<Change, 'type' | 'fields' | 'values'>
type Meaning = (change: LiveChange) => boolean

/** True when a change may have written a field, as every replacement. An event has the whole state, so a repeated one is harmless. */
const touches = ({ type, fields }: LiveChange, field: string) =>
  type === 'replace' || (fields?.includes(field) ?? false)

const isSettled = ({ values: { status } }: LiveChange) => status === 'resolved' || status === 'absent'

/** True when a parser handed the entry over, because each such write changes the hash. */
const isHandedOver = ({ type, values }: LiveChange) => type !== 'replace' && values.entryHash !== undefined

/** True for a new decision. A settled conflict keeps its old one. */
const isDecision = (change: LiveChange) =>
  touches(change, 'decision') && change.values.decision != null && !isSettled(change)

const isReopening = (change: LiveChange) =>
  touches(change, 'status') && change.values.status === 'pending' && change.values.decision == null

const isReturn = (change: LiveChange) =>
  touches(change, 'decision') && change.values.decision == null && !isReopening(change) && !isSettled(change)

const isOfUnshown = ({ fields, values }: LiveChange) =>
  fields?.includes('isUnshown') === true && values.status === 'deleted'

/** Maps the changes of a live collection to events. A missing event does not compile. */
const MEANINGS: { [C in keyof EventsByCollection]: Record<EventsByCollection[C], Meaning> } = {
  comments: {
    'comment:created': ({ type }) => type === 'insert',
    'comment:status': (change) => touches(change, 'status') && !isOfUnshown(change),
    'comment:updated': (change) =>
      change.type === 'replace' ||
      ((touches(change, 'body') || touches(change, 'isSpoiler')) && !touches(change, 'status')),
    'comment:likes': (change) => touches(change, 'likesCount'),
    // A comment that is stored as hidden waits for a moderator.
    'reports:changed': (change) =>
      touches(change, 'reportsCount') ||
      touches(change, 'heldAt') ||
      (change.type === 'insert' && change.values.status === 'hidden'),
  },
  users: {
    'royal:changed': (change) => touches(change, 'royalGames'),
  },
  conflicts: {
    'conflict:decided': (change) => !isHandedOver(change) && (isDecision(change) || isReopening(change)),
    'conflicts:applied': (change) =>
      isHandedOver(change) || (touches(change, 'status') && isSettled(change)) || isReturn(change),
  },
  notifications: {
    'notification:new': (change) => change.type === 'insert' || touches(change, 'updatedAt'),
    // An update with the user of the notification precedes every deletion.
    'notifications:count': ({ type }) => type !== 'delete',
  },
}

const meaningsOf = (collection: string | undefined): Partial<Record<EventName, Meaning>> =>
  Object.entries(MEANINGS).find(([name]) => name === collection)?.[1] ?? {}

/** True for a change of an import. Another program that replaces an imported document may copy the mark of the import. */
const isOfImport = ({ type, sender }: Partial<Pick<Change, 'type' | 'sender'>>) =>
  sender?.instance === IMPORT_INSTANCE && type !== 'replace'

/** Lists the events that a change means, in the order of sending: none for a change of an import. */
export function toEvents(change: LiveChange & Pick<Change, 'collection'> & Partial<Pick<Change, 'sender'>>) {
  if (isOfImport(change)) return []
  const meanings = Object.entries(meaningsOf(change.collection))
  // Object.entries types the values of the table, not its keys.
  return meanings.flatMap(([event, isMeant]) => (isMeant(change) ? [event as EventName] : []))
}
