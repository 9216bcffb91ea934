import { effect, signal } from '@preact/signals'
import type { CallInput } from '../../client/index.ts'
import type { Source } from '../../contract/sources.ts'
import { type ApiError, hall } from '../hall.ts'
import { notify } from '../notices.ts'
import { request } from '../request.ts'
import { viewer } from '../session.ts'
import { baseUrl } from '../settings.ts'

type Choice = CallInput<'POST /conflicts/:source/:externalId/decision'>['body']

interface Decision {
  source: Source
  externalId: string
  /** The title of the conflict. */
  title: string
  /** `Match with Chrono Trigger` */
  what: string
  choice: Choice
}

export interface HeldDecision extends Decision {
  key: string
  /** `held` can be taken back, `sending` is on its way, `refused` was sent and came back. */
  state: 'held' | 'sending' | 'refused'
  sendAt: number
  error?: ApiError
}

const HOLD_MS = 5_000

/** Decisions that were taken here and have not been answered yet, the oldest first. */
export const outbox = signal<readonly HeldDecision[]>([])
const timers = new Map<string, ReturnType<typeof setTimeout>>()

const toKey = ({ source, externalId }: Pick<Decision, 'source' | 'externalId'>) => `${source}/${externalId}`
const find = (key: string) => outbox.peek().find((each) => each.key === key)

function change(key: string, changes: Partial<HeldDecision>): void {
  outbox.value = outbox.peek().map((each) => (each.key === key ? { ...each, ...changes } : each))
}

function take(key: string): HeldDecision | undefined {
  const held = find(key)
  clearTimeout(timers.get(key))
  timers.delete(key)
  outbox.value = outbox.peek().filter((each) => each.key !== key)
  return held
}

/** Whether a decision about a conflict waits here or is on its way. */
export const isDecidedHere = (conflict: Pick<Decision, 'source' | 'externalId'>): boolean =>
  outbox.value.some(({ key, state }) => key === toKey(conflict) && state !== 'refused')

/** Keeps a decision for as long as it can be taken back, then sends it. */
export function hold(decision: Decision): void {
  const key = toKey(decision)
  const known = find(key)
  if (known !== undefined && known.state !== 'refused') return
  take(key)
  outbox.value = [...outbox.peek(), { ...decision, key, state: 'held', sendAt: Date.now() + HOLD_MS }]
  timers.set(
    key,
    setTimeout(() => void send(key), HOLD_MS),
  )
}

/** Takes a decision back. Answers false for one that is on its way. */
export function undo(key: string): boolean {
  if (find(key)?.state !== 'held') return false
  take(key)
  return true
}

/** Forgets a decision that came back. */
export function dismiss(key: string): void {
  if (find(key)?.state === 'refused') take(key)
}

/** Sends a decision; one that came back is only sent again when somebody asks for it. */
export async function send(key: string): Promise<void> {
  const held = find(key)
  if (held === undefined || held.state === 'sending') return
  clearTimeout(timers.get(key))
  change(key, { state: 'sending' })
  const { source, externalId, choice } = held
  const answer = await request(
    hall.call('POST /conflicts/:source/:externalId/decision', { params: { source, externalId }, body: choice }),
  )
  if (answer.ok) take(key)
  else change(key, { state: 'refused', error: answer.error })
}

/** The page goes: what is still held is sent by a request that outlives it, and never again. */
function sendAll(): void {
  for (const { key, state } of outbox.peek()) {
    if (state !== 'held') continue
    const held = take(key)
    if (held === undefined) continue
    const address = `${baseUrl}/conflicts/${held.source}/${encodeURIComponent(held.externalId)}/decision`
    void fetch(address, {
      method: 'POST',
      keepalive: true,
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(held.choice),
    }).catch(() => {})
  }
}
addEventListener('pagehide', sendAll)

// A decision is sent in the name of whoever took it, or not at all.
let decider = viewer.peek()
viewer.subscribe((next) => {
  if (decider !== null && next !== decider) {
    const lost = outbox.peek().filter(({ state }) => state !== 'sending')
    for (const { key } of lost) take(key)
    if (lost.length > 0) notify(`Not sent, since you signed out: ${lost.map(({ title }) => title).join(', ')}`)
  }
  decider = next
})

/** Somebody else may decide what is held here. */
function listen(): () => void {
  const socket = hall.socket('/conflicts')
  const end = socket.on('conflict:decided', ({ state, decidedBy, ...conflict }) => {
    const held = find(toKey(conflict))
    if (held?.state !== 'held' || state === 'waiting') return
    take(held.key)
    notify(`Already decided by ${decidedBy ?? 'somebody'}: ${held.title}. Your decision was not sent`)
  })
  return () => {
    end()
    socket.close()
  }
}

let stop: (() => void) | undefined
effect(() => {
  const isNeeded = outbox.value.length > 0
  if (isNeeded) stop ??= listen()
  else {
    stop?.()
    stop = undefined
  }
})
