import { computed, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { isLost, onReconnect } from '../connection.ts'
import { announce, notify } from '../notices.ts'
import { user, viewer } from '../session.ts'

/** An action that removes or decides something, and can be undone for a while. */
export interface Action {
  /** The target of the action: `comment/<id>`. The outbox holds one action for each target. */
  key: string
  what: string
  about: string
  address: string
  /** Sends the action. It must not await anything before, because the page may be closing. */
  send(): Promise<{ ok: true } | { ok: false; error: Error }>
  /** Applies the action to the royal list. */
  applyTo?(games: readonly string[]): readonly string[]
  onUndo?(): void
  /** Called once, when the action leaves the outbox. */
  onEnd?(): void
}

export interface HeldAction extends Action {
  /** `held` can be undone, `sending` is on its way, `refused` was sent and came back. */
  state: 'held' | 'sending' | 'refused'
  sendAt: number
  timer: ReturnType<typeof setTimeout>
  error?: Error
}

const HOLD_MS = 6_000

export const outbox = signal<readonly HeldAction[]>([])

const find = (key: string) => outbox.peek().find((action) => action.key === key)

function change(key: string, changes: Partial<HeldAction>): void {
  outbox.value = outbox.peek().map((action) => (action.key === key ? { ...action, ...changes } : action))
}

function release(key: string): HeldAction | undefined {
  const held = find(key)
  clearTimeout(held?.timer)
  outbox.value = outbox.peek().filter((action) => action.key !== key)
  return held
}

export const isHeld = (key: string): boolean => find(key)?.state === 'held'

export function drop(key: string): void {
  release(key)?.onEnd?.()
}

/** True when views show the action as done. */
export const isActedOn = (key: string): boolean =>
  outbox.value.some((action) => action.key === key && action.state !== 'refused')

/** `isActedOn` for one of many rows, which is redrawn only when its own answer changes. */
export const useActedOn = (key: string): boolean => useMemo(() => computed(() => isActedOn(key)), [key]).value

/** Holds an action while it can be undone, then sends it. */
export function hold(action: Action): void {
  const { key, what } = action
  if (find(key)?.state === 'sending') {
    action.onEnd?.()
    return
  }
  drop(key)
  const timer = setTimeout(() => {
    // Without a connection the failure would look like a refusal.
    if (!isLost.peek()) void send(key)
  }, HOLD_MS)
  outbox.value = [...outbox.peek(), { ...action, state: 'held', sendAt: Date.now() + HOLD_MS, timer }]
  announce(`${what}: can be undone for ${HOLD_MS / 1_000} seconds in the Outbox`)
}

export function undo(key: string): boolean {
  const held = find(key)
  if (held?.state !== 'held') return false
  drop(key)
  announce(`Undone: ${held.what}`)
  held.onUndo?.()
  return true
}

export async function send(key: string): Promise<void> {
  const held = find(key)
  if (held === undefined || held.state === 'sending') return
  clearTimeout(held.timer)
  change(key, { state: 'sending' })
  const answer = await held.send()
  if (answer.ok) drop(key)
  else change(key, { state: 'refused', error: answer.error })
}

const listHeld = () => outbox.peek().filter(({ state }) => state === 'held')

export const sendHeld = async (prefix = ''): Promise<void> => {
  await Promise.all(listHeld().flatMap(({ key }) => (key.startsWith(prefix) ? send(key) : [])))
}

onReconnect(() => {
  for (const { key, sendAt } of listHeld()) if (sendAt <= Date.now()) void send(key)
})

// An action is removed as it is sent, so that a page restored by the browser does not send it again.
addEventListener('pagehide', () => {
  for (const { key } of listHeld()) {
    const held = release(key)
    void held?.send().finally(() => held.onEnd?.())
  }
})

// An action is sent in the session of the user who took it, or not at all.
let actor = viewer.peek()
viewer.subscribe((next) => {
  if (actor !== null && next !== actor) {
    const lost = outbox.peek().filter(({ state }) => state !== 'sending')
    for (const { key } of lost) drop(key)
    const reason = user.peek() ? `since ${user.peek()?.userName} is signed in now` : 'since you signed out'
    if (lost.length > 0) notify(`Not sent, ${reason}: ${lost.map(({ about }) => about).join(', ')}`)
  }
  actor = next
})
