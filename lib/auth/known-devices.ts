import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { ObjectId } from 'mongodb'
import { keyedHash } from '../system/keyed-hash.ts'
import type { AuthDeps } from './deps.ts'

/** People who share a browser each keep their own entry. */
const ACCOUNTS_KEPT = 4
const ENTRY = /^(?<userId>[0-9a-f]{24})\.(?<deviceId>[\w-]{22})\.(?<signature>[\w-]{43})$/

/** Whether a cookie has the form of one that this service has set; its signatures are checked later. */
export function isKnownDeviceForm(cookie: string): boolean {
  const entries = cookie.split('~', ACCOUNTS_KEPT + 1)
  return entries.length <= ACCOUNTS_KEPT && entries.every((entry) => ENTRY.test(entry))
}

interface Entry {
  userId: string
  deviceId: string
  text: string
}

type Secret = Pick<AuthDeps, 'jwtSecret'>

const sign = ({ jwtSecret }: Secret, userId: string, deviceId: string) =>
  keyedHash(jwtSecret, 'known device', `${userId}.${deviceId}`)

function readEntry(deps: Secret, text: string): Entry[] {
  const { userId, deviceId, signature } = ENTRY.exec(text)?.groups ?? {}
  if (userId === undefined || deviceId === undefined || signature === undefined) return []
  const isGenuine = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(deps, userId, deviceId)))
  return isGenuine ? [{ userId, deviceId, text }] : []
}

const readEntries = (deps: Secret, cookies: readonly string[]): Entry[] =>
  cookies.flatMap((cookie) => cookie.split('~').slice(0, ACCOUNTS_KEPT)).flatMap((text) => readEntry(deps, text))

/** The id of the device that sends these `knownDevice` cookies, where that user has signed in on it before. */
export const findDeviceId = (deps: Secret, cookies: readonly string[], userId: ObjectId): string | null =>
  readEntries(deps, cookies).find((entry) => entry.userId === userId.toHexString())?.deviceId ?? null

/** The value of a `knownDevice` cookie that names this user, too; the device keeps its id. */
export function nameKnownDevice(deps: Secret, cookies: readonly string[], userId: ObjectId): string {
  const id = userId.toHexString()
  const known = readEntries(deps, cookies)
  const deviceId = known.find((entry) => entry.userId === id)?.deviceId ?? randomBytes(16).toString('base64url')
  const others = known.filter((entry) => entry.userId !== id).map(({ text }) => text)
  return [`${id}.${deviceId}.${sign(deps, id, deviceId)}`, ...new Set(others)].slice(0, ACCOUNTS_KEPT).join('~')
}
