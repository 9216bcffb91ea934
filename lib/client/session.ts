import type { SessionProfile } from '../contract/auth.ts'
import { readApiError } from './api-error.ts'
import { type Send, toRequest, type WireRequest } from './call.ts'
import { type BrowserStorage, createStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'

/** `ended`: the service no longer accepts the session, so the user must sign in again. */
export type SessionState =
  | { status: 'unknown' | 'signed-out' | 'ended'; user: null }
  | { status: 'signed-in'; user: SessionProfile }

export type Session = ReturnType<typeof createSession>['session']

/** The parts of a browser that the session uses; Node has none of them. */
export interface SessionSurroundings {
  locks?: { request<T>(name: string, work: () => Promise<T>): Promise<T> } | undefined
  storage?: BrowserStorage | undefined
  /** Age at which the access cookie is renewed; the browser drops it after 15 minutes. */
  renewAfterMs?: number
}

const LOCK = 'gamehall-session'
const RENEWED_AT = 'gamehall-renewed-at'
const RENEW_AFTER_MS = 12 * 60_000
const RETRY_RENEWAL_MS = 30_000

const REFRESH = 'POST /auth/refresh-token'
const READ = 'GET /auth/session'
const BEGINNING = new Set(['POST /auth/login', 'POST /auth/signup', REFRESH])
const ENDING = new Set(['POST /auth/logout', 'DELETE /user/:id'])
/** Routes whose 401 means a wrong password or an ended session, not an expired cookie. */
const FINAL_401 = new Set([...BEGINNING, 'POST /auth/logout'])

/** Lets a script in Node end before a timer; a browser's timer is a number. */
function letExit(timer: unknown) {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}

const isFinal401 = ({ route }: WireRequest) => FINAL_401.has(route)

interface SessionOptions {
  baseUrl: string
  send: Send
  surroundings: SessionSurroundings
  /** Renews a session of the site, which has no renewal here. */
  renew?: (() => Promise<boolean>) | undefined
}

/** Creates the session and a `send` that renews it before it expires and on a 401, then repeats the request. */
export function createSession({ baseUrl, send, surroundings, renew }: SessionOptions) {
  const { locks, renewAfterMs = RENEW_AFTER_MS } = surroundings
  const storage = createStorage(() => surroundings.storage)
  const state = createStore<SessionState>({ status: 'unknown', user: null })
  /** Grows with each renewal, so that a 401 to an older request causes no second one. */
  let generation = 0
  let running: Promise<boolean> | undefined
  /** The last signed-in user; kept after the session has ended. */
  let viewerId: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Runs without the lock where the browser refuses it, because cookies are blocked. */
  async function exclusively<T>(work: () => Promise<T>): Promise<T> {
    let begun: Promise<T> | undefined
    const begin = () => {
      begun ??= work()
      return begun
    }
    await locks?.request(LOCK, begin).catch(() => undefined)
    return await begin()
  }

  /** The last renewal by any tab; undefined for a guest. */
  function lastRenewal(): number | undefined {
    const stored = Number(storage.getItem(RENEWED_AT) ?? Number.NaN)
    return Number.isFinite(stored) ? stored : undefined
  }

  function recordRenewal() {
    generation += 1
    storage.setItem(RENEWED_AT, String(Date.now()))
    armTimer()
  }

  function endSession(status: 'signed-out' | 'ended') {
    storage.removeItem(RENEWED_AT)
    clearTimeout(timer)
    if (status === 'signed-out') viewerId = undefined
    if (state.get().status !== status) state.set({ status, user: null })
  }

  function armTimer(delayMs = renewAfterMs) {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (isDue()) refresh({ isLapsed: false }).catch(() => armTimer(RETRY_RENEWAL_MS))
      else if (lastRenewal() !== undefined) armTimer()
    }, delayMs)
    letExit(timer)
  }

  const isDue = () => {
    const renewedAt = lastRenewal()
    if (renew !== undefined || renewedAt === undefined) return false
    const age = Date.now() - renewedAt
    // A time in the future comes from a clock that was set back, and would delay the renewal.
    return age < 0 || age >= renewAfterMs
  }

  async function requestCookie(): Promise<boolean> {
    const response = renew === undefined ? await send(toRequest(baseUrl, REFRESH)) : undefined
    if (response && !response.ok && response.status !== 401) throw await readApiError(response)
    if (response?.ok ?? (await renew?.())) {
      recordRenewal()
      return true
    }
    const { status } = state.get()
    endSession(status === 'signed-in' || status === 'ended' ? 'ended' : 'signed-out')
    return false
  }

  /** Checks again once it has the lock, because another tab may have renewed the session. */
  async function refreshAlone(isLapsed: boolean): Promise<boolean> {
    if (!isLapsed && !isDue()) return lastRenewal() !== undefined
    const { status: current } = state.get()
    const isOver = renew === undefined && (current === 'signed-out' || current === 'ended')
    if (isOver && lastRenewal() === undefined) return false
    if (isLapsed && locks) {
      const response = await send(toRequest(baseUrl, READ))
      if (response.ok) {
        generation += 1
        return true
      }
      if (response.status !== 401) throw await readApiError(response)
    }
    return await requestCookie()
  }

  function refresh({ isLapsed }: { isLapsed: boolean }): Promise<boolean> {
    running ??= exclusively(() => refreshAlone(isLapsed)).finally(() => {
      running = undefined
    })
    return running
  }

  async function load(): Promise<SessionProfile | null> {
    const response = await sendInSession(toRequest(baseUrl, READ))
    if (response.ok) {
      // The route says what it answers.
      const user = (await response.json()) as SessionProfile
      if (lastRenewal() === undefined) recordRenewal()
      else armTimer(1_000)
      setUser(user)
      return user
    }
    if (response.status !== 401) throw await readApiError(response)
    if (state.get().status === 'unknown') endSession('signed-out')
    return null
  }

  function setUser(user: SessionProfile) {
    const { user: current } = state.get()
    viewerId = user.userId
    const isSame =
      current?.userId === user.userId && current.userName === user.userName && `${current.roles}` === `${user.roles}`
    if (!isSame) state.set({ status: 'signed-in', user })
  }

  async function sendInSession(request: WireRequest): Promise<Response> {
    // The renewal comes first, because an endpoint with optional sign-in would answer as to a guest.
    if (!isFinal401(request) && isDue()) await refresh({ isLapsed: false }).catch(() => false)
    const sentIn = generation
    const response = await send(request)

    if (response.ok && BEGINNING.has(request.route)) {
      recordRenewal()
      // The cookies are set; the next `load` reads the user.
      await load().catch(() => null)
    }
    if (response.ok && ENDING.has(request.route)) endSession('signed-out')
    if (response.status !== 401 || isFinal401(request)) return response
    const isRenewed = sentIn < generation || (await refresh({ isLapsed: true }))
    return isRenewed ? await send(request) : response
  }

  const session = {
    get: state.get,
    subscribe: state.subscribe,
    /** Asks the service who is signed in. Answers null for a guest. */
    load,
    /** Requests a new access cookie, once for all callers and tabs. Answers false when the session has ended. */
    refresh: () => refresh({ isLapsed: true }),
    /** True when a user signed in in this browser and did not sign out. Sends no request. */
    mayExist: () => lastRenewal() !== undefined,
  }
  return { session, send: sendInSession, viewerId: () => viewerId, close: () => clearTimeout(timer) }
}

/** Calls the listener when the signed-in user changes, until the returned function is called. */
export function onUserChange(
  { get, subscribe }: Store<SessionState>,
  run: (userId: string | undefined, before: string | undefined) => void,
): () => void {
  let current = get().user?.userId
  return subscribe(() => {
    const before = current
    current = get().user?.userId
    if (current !== before) run(current, before)
  })
}
