import type { CallInput } from '../../client/index.ts'
import type { ConflictId } from '../../client/live-conflicts.ts'
import { notify } from '../notices.ts'
import { drop, hold, isActedOn, isHeld } from '../outbox/outbox.ts'
import { linkTo, open } from '../route.ts'
import { call, hall } from '../session.ts'
import { SOURCE_NAMES } from './conflict-words.ts'

interface Decision extends ConflictId {
  title: string
  /** `Match with Chrono Trigger` */
  what: string
  choice: CallInput<'POST /conflicts/:source/:externalId/decision'>['body']
}

const toKey = ({ source, externalId }: ConflictId) => `conflict/${source}/${externalId}`

export const isDecidedHere = (conflict: ConflictId): boolean => isActedOn(toKey(conflict))

/** Holds a decision, unless somebody else decides meanwhile. */
export function holdDecision({ source, externalId, title, what, choice }: Decision): void {
  const params = { source, externalId }
  const key = toKey(params)
  const address = linkTo('conflicts', source, externalId)
  const socket = hall.socket('/conflicts')
  socket.on('conflict:decided', ({ state, decidedBy, ...conflict }) => {
    if (toKey(conflict) !== key || state === 'waiting' || !isHeld(key)) return
    drop(key)
    notify(`Already decided by ${decidedBy ?? 'somebody'}: ${title}. Your decision was not sent`)
  })
  hold({
    key,
    what,
    about: `${title}, ${SOURCE_NAMES[source]}`,
    address,
    send: () => call('POST /conflicts/:source/:externalId/decision', { params, body: choice }),
    onUndo: () => open(address),
    onEnd: () => socket.close(),
  })
}
