import { computed, signal } from '@preact/signals'
import { createClient, type Refusable, type Settled, settle } from '../client/index.ts'
import type { Answer, CallArguments, RefusalStatus, Route } from '../client/routes.ts'
import { dismissNotice, notifyError } from './notices.ts'
import { baseUrl, settings } from './settings.ts'

export { ApiError, type Refusable, type Settled, type Store, settle } from '../client/index.ts'

/** Longest body that is sent with `keepalive`: browsers limit all such requests together to 64 kB. */
const KEPT_ALIVE_MAX = 2_000

/** True when a change is sent although the page is closed meanwhile. */
const isKeptAlive = ({ method = 'GET', body }: RequestInit = {}) =>
  method !== 'GET' && String(body ?? '').length <= KEPT_ALIVE_MAX

export const hall = createClient({
  baseUrl,
  socketPath: settings.socketPath,
  // Only the site can renew its session.
  ...(settings.signInUrl !== undefined && { refresh: async () => false }),
  fetch: (input, init) => fetch(input, { ...init, keepalive: isKeptAlive(init) }),
})

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 5_000

const session = signal(hall.session.get())
const isRead = signal(false)

/** The signed-in user; null for a guest, undefined until the service has answered. */
export const user = computed(() => session.value.user ?? (isRead.value ? null : undefined))
export const isAdmin = computed(() => user.value?.roles.includes('admin') ?? false)

export const signInReason = signal<'requested' | 'ended' | undefined>(undefined)

/** The id of the user for whom views are drawn, null for a guest. The id stays after the session has ended. */
export const viewer = signal<string | null>(null)
/** Incremented when views must be discarded because another user would see them. */
export const viewEpoch = signal(0)
/** Incremented with each sign-in, also of the same user, to repeat the reads that an ended session has refused. */
export const signIns = signal(0)

hall.session.subscribe(() => {
  const { status, user: next } = hall.session.get()
  session.value = hall.session.get()
  if (status === 'ended') {
    signInReason.value = 'ended'
    return
  }
  if (status === 'signed-in') {
    signInReason.value = undefined
    signIns.value += 1
  }
  const nextViewer = next?.userId ?? null
  if (viewer.peek() !== null && viewer.peek() !== nextViewer) viewEpoch.value += 1
  viewer.value = nextViewer
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats the request until the service answers: a failed read does not mean that the user is a guest. */
async function readUntilAnswered(): Promise<void> {
  let notice: number | undefined
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(MAX_RETRY_MS, 2 * waitMs)) {
    const answer = await settle(hall.session.load())
    if (answer.ok) break
    notice ??= notifyError(answer.error)
    await pause(waitMs)
  }
  if (notice !== undefined) dismissNotice(notice)
}

let reading: Promise<void> | undefined

function readSession(): Promise<void> {
  reading ??= readUntilAnswered().finally(() => {
    reading = undefined
  })
  return reading
}

/** Reads who is signed in; sends no request where the browser knows of no session. */
export async function loadSession(): Promise<void> {
  const isSignedInHere = hall.session.get().status === 'signed-in'
  if (!isSignedInHere && (settings.isSignedIn || hall.session.mayExist())) await readSession()
  isRead.value = true
}

// Another tab signed in or out. Both tabs share the cookies, so this tab must show their user.
addEventListener('storage', () => {
  const isSignedInHere = Boolean(user.peek())
  if (isRead.peek() && isSignedInHere !== hall.session.mayExist()) void readSession()
})

// Another tab may have signed in or out at the site.
if (settings.signInUrl !== undefined)
  addEventListener('focus', () => {
    if (isRead.peek()) void readSession()
  })

export function openSignIn(): void {
  signInReason.value ??= 'requested'
}

export async function signOut(): Promise<void> {
  const answer = await settle(hall.call('POST /auth/logout'))
  if (!answer.ok) notifyError(answer.error)
}

/** Answers true when a user is signed in; opens the sign-in dialog for a guest. */
export function isSignedIn(): boolean {
  if (user.peek()) return true
  openSignIn()
  return false
}

export async function request<T, S extends number>(call: Refusable<T, S>): Promise<Settled<T, S>> {
  const answer = await settle(call)
  if (!answer.ok && Number(answer.error.status) === 401) openSignIn()
  return answer
}

export const call = <R extends Route>(
  route: R,
  ...input: CallArguments<R>
): Promise<Settled<Answer<R>, RefusalStatus<R>>> => request(hall.call(route, ...input))

/** Makes a change and shows a refusal as a notice. Answers true when the change was made. */
export async function attempt(change: Refusable<unknown, number>): Promise<boolean> {
  const answer = await request(change)
  if (!answer.ok) notifyError(answer.error)
  return answer.ok
}
