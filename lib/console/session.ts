import { computed, signal } from '@preact/signals'
import { hall, settle } from './hall.ts'
import { notifyError } from './notices.ts'
import { settings } from './settings.ts'

/** Written by the client in every tab of a browser that somebody signed in with. */
const SIGNED_IN_HERE = 'gamehall-renewed-at'

const session = signal(hall.session.get())
const isAsked = signal(false)

/** Who is signed in; null for nobody, undefined while that is asked. */
export const user = computed(() => session.value.user ?? (isAsked.value ? null : undefined))
export const isAdmin = computed(() => user.value?.roles.includes('admin') ?? false)

/** Why the sign-in dialog is open. */
export const signInReason = signal<'asked' | 'ended' | undefined>(undefined)

/** For whom views are drawn: still the same user after the session has ended, null for a guest. */
export const viewer = signal<string | null>(null)
/** Changes when a view must not be kept because it was another user's. */
export const viewEpoch = signal(0)

hall.session.subscribe(() => {
  const { status, user: next } = hall.session.get()
  session.value = hall.session.get()
  if (status === 'ended') {
    signInReason.value = 'ended'
    return
  }
  if (status === 'signed-in') signInReason.value = undefined
  const nextViewer = next?.userId ?? null
  if (viewer.peek() !== null && viewer.peek() !== nextViewer) viewEpoch.value += 1
  viewer.value = nextViewer
})

async function readSession(): Promise<void> {
  const answer = await settle(hall.session.load())
  if (!answer.ok) notifyError(answer.error)
}

/** Finds out who is signed in, where anybody may be: to ask for a guest would only be refused. */
export async function loadSession(): Promise<void> {
  if (settings.isSignedIn || localStorage.getItem(SIGNED_IN_HERE) !== null) await readSession()
  isAsked.value = true
}

// Another tab signed in or out. Its cookies are this tab's too, so this tab must show whose they are.
addEventListener('storage', ({ key, oldValue, newValue }) => {
  const hasChanged = user.peek() ? newValue === null : oldValue === null
  if (key === SIGNED_IN_HERE && isAsked.peek() && hasChanged) void readSession()
})

/** Opens the sign-in dialog. The view stays below it, with what was typed into it. */
export function askToSignIn(): void {
  signInReason.value ??= 'asked'
}

/** Ends the session in this browser. */
export async function signOut(): Promise<void> {
  const answer = await settle(hall.call('POST /auth/logout'))
  if (!answer.ok) notifyError(answer.error)
}

/** Whether somebody is signed in; a guest gets the sign-in dialog, and nothing is sent that would only be refused. */
export function isSignedIn(): boolean {
  if (user.peek()) return true
  askToSignIn()
  return false
}
