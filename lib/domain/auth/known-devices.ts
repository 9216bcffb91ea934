import { randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../../base/system/keyed-hash.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'

/** People who share a browser each keep their own entry. */
const ACCOUNTS_KEPT = 4
const ENTRY = /^(?<userId>[0-9a-f]{24})\.(?<deviceId>[\w-]{22})\.(?<stamp>[0-9a-f]{24}|none)\.(?<signature>[\w-]{43})$/

/** Whether a cookie has the form of one that this service has set; its signatures are checked later. */
export function isKnownDeviceForm(cookie: string): boolean {
  const entries = cookie.split('~', ACCOUNTS_KEPT + 1)
  return entries.length <= ACCOUNTS_KEPT && entries.every((entry) => ENTRY.test(entry))
}

/** An account as far as its devices are known by it: a new password makes them unknown. */
type Account = Pick<UserDocument, '_id' | 'passwordChange'>

interface Entry {
  userId: string
  deviceId: string
  stamp: string
  text: string
}

type Secret = Pick<AuthDeps, 'jwtSecret'>

const toStamp = ({ passwordChange }: Account) => passwordChange?.stamp.toHexString() ?? 'none'

const sign = ({ jwtSecret }: Secret, { userId, deviceId, stamp }: Omit<Entry, 'text'>) =>
  keyedHash(jwtSecret, 'known device', `${userId}.${deviceId}.${stamp}`)

function readEntry(deps: Secret, text: string): Entry[] {
  const { userId, deviceId, stamp, signature } = ENTRY.exec(text)?.groups ?? {}
  if (userId === undefined || deviceId === undefined || stamp === undefined || signature === undefined) return []
  const expected = sign(deps, { userId, deviceId, stamp })
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? [{ userId, deviceId, stamp, text }] : []
}

const readEntries = (deps: Secret, cookies: readonly string[]): Entry[] =>
  cookies.flatMap((cookie) => cookie.split('~').slice(0, ACCOUNTS_KEPT)).flatMap((text) => readEntry(deps, text))

const isOf = (account: Account) => (entry: Entry) =>
  entry.userId === account._id.toHexString() && entry.stamp === toStamp(account)

/** The id of the device that sends these `knownDevice` cookies, where the user has signed in with the present password. */
export const findDeviceId = (deps: Secret, cookies: readonly string[], account: Account): string | null =>
  readEntries(deps, cookies).find(isOf(account))?.deviceId ?? null

/** The value of a `knownDevice` cookie that names this user, too; the device keeps its id. */
export function nameKnownDevice(deps: Secret, cookies: readonly string[], account: Account): string {
  const userId = account._id.toHexString()
  const known = readEntries(deps, cookies)
  const deviceId = known.find(isOf(account))?.deviceId ?? randomBytes(16).toString('base64url')
  const stamp = toStamp(account)
  const others = known.filter((entry) => entry.userId !== userId).map(({ text }) => text)
  const own = `${userId}.${deviceId}.${stamp}.${sign(deps, { userId, deviceId, stamp })}`
  return [own, ...new Set(others)].slice(0, ACCOUNTS_KEPT).join('~')
}
