import { useMemo } from 'preact/hooks'
import type { LiveRoyal } from '../../client/index.ts'
import { ROYAL_GAMES_LIMIT } from '../../contract/limits.ts'
import type { RoyalAck } from '../../contract/namespaces/royal.ts'
import { formatCount } from '../format.ts'
import { notify } from '../notices.ts'
import { type Action, hold, isHeld, outbox, sendHeld } from '../outbox/outbox.ts'
import { useLive } from '../parts/query.tsx'
import { hall, viewer } from '../session.ts'

const ROYAL = 'royal/'
const LIST = `${ROYAL}list`
export const toRemovalKey = (id: string) => ROYAL + id

export function useRoyal() {
  const { live, state } = useLive(() => hall.royal(), [viewer.value])
  const held = outbox.value
  const games = useMemo(() => {
    const shown = held.filter((action) => action.state !== 'refused')
    return shown.reduce((list, { applyTo }) => applyTo?.(list) ?? list, state.games)
  }, [state.games, held])
  return { live, state: { ...state, games } }
}

interface HeldChange extends Pick<Action, 'key' | 'what' | 'about' | 'applyTo'> {
  make(live: LiveRoyal): Promise<RoyalAck>
  onSent?(rejected: number): void
}

function holdChange({ make, onSent, ...action }: HeldChange): void {
  // The view may be left before the change is sent.
  const live = hall.royal()
  hold({
    ...action,
    address: '#/royal',
    async send() {
      const ack = await make(live)
      if (!ack.ok) return { ok: false, error: new Error(ack.error) }
      onSent?.(ack.rejected.length)
      return { ok: true }
    },
    onEnd: () => live.close(),
  })
}

export const holdRemoval = (id: string, name: string): void =>
  holdChange({
    key: toRemovalKey(id),
    what: 'Remove a royal game',
    about: name,
    applyTo: (games) => games.filter((listed) => listed !== id),
    make: (live) => live.remove([id]),
  })

export const holdReplacement = (gameIds: string[], preset: string): void =>
  holdChange({
    key: LIST,
    what: 'Load a preset',
    about: preset,
    applyTo: () => [...new Set(gameIds)],
    make: (live) => live.replace(gameIds),
    onSent: (rejected) => {
      if (rejected > 0) notify(`${preset} is loaded, without ${formatCount(rejected, 'game')} that left the catalogue`)
    },
  })

/** Sends the changes in the outbox that must be stored before the next change: a new list, and removals from a full list. */
export function sendBeforeChange(live: LiveRoyal): void {
  if (isHeld(LIST) || live.get().games.length >= ROYAL_GAMES_LIMIT) void sendHeld(ROYAL)
}
