import { computed, signal } from '@preact/signals'
import { hall, settle } from './hall.ts'
import { notifyError } from './notices.ts'

export interface User {
  userId: string
  userName: string
  roles: readonly string[]
}

/** Who is signed in; null for nobody, undefined while that is asked. */
export const user = signal<User | null | undefined>(undefined)
export const isAdmin = computed(() => user.value?.roles.includes('admin') ?? false)

/** Why the sign-in dialog is open. */
export const signInReason = signal<'asked' | 'ended' | undefined>(undefined)

/** Changes when a view must be drawn anew because it was another user's. The end of a session is no such change. */
export const viewEpoch = signal(0)
let lastUserId: string | undefined

function take(next: User | null): void {
  if (lastUserId !== undefined && next !== null && next.userId !== lastUserId) viewEpoch.value += 1
  lastUserId = next?.userId ?? lastUserId
  user.value = next
}

/** Finds out who is signed in. */
export async function loadSession(): Promise<void> {
  const answer = await settle(hall.call('GET /auth/session'))
  if (answer.ok) return take(answer.value)
  if (answer.error.status !== 401) notifyError(answer.error)
  take(null)
}

export function askToSignIn(): void {
  signInReason.value ??= 'asked'
}

/** The view stays as it is, with what was typed into it, below the sign-in dialog. */
export function onSessionEnded(): void {
  if (user.peek()) signInReason.value = 'ended'
  else askToSignIn()
  user.value = null
}

export async function signOut(): Promise<void> {
  const answer = await settle(hall.call('POST /auth/logout'))
  if (!answer.ok && answer.error.status !== 401) return notifyError(answer.error)
  lastUserId = undefined
  viewEpoch.value += 1
  user.value = null
}
