import { randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../../base/system/keyed-hash.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'

/** Accounts that one browser remembers, because people share browsers. */
const ACCOUNTS_MAX = 4
const ENTRY = /^(?<userId>[0-9a-f]{24})\.(?<deviceId>[\w-]{22})\.(?<stamp>[0-9a-f]{24}|none)\.(?<signature>[\w-]{43})$/

/** True when a cookie has the form that this service sets. Its signatures are checked later. */
export function isKnownDeviceForm(cookie: string): boolean {
  const entries = cookie.split('~', ACCOUNTS_MAX + 1)
  return entries.length <= ACCOUNTS_MAX && entries.every((entry) => ENTRY.test(entry))
}

/** The parts of an account that its devices are checked against: a new password makes every device unknown. */
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
  cookies.flatMap((cookie) => cookie.split('~').slice(0, ACCOUNTS_MAX)).flatMap((text) => readEntry(deps, text))

const isOf = (account: Account) => (entry: Entry) =>
  entry.userId === account._id.toHexString() && entry.stamp === toStamp(account)

/** Finds the id of the device that sends these cookies. Null unless the user has signed in there with the present password. */
export const findDeviceId = (deps: Secret, cookies: readonly string[], account: Account): string | null =>
  readEntries(deps, cookies).find(isOf(account))?.deviceId ?? null

/** Adds an account to the value of the `knownDevice` cookie. The device keeps its id. */
export function nameKnownDevice(deps: Secret, cookies: readonly string[], account: Account): string {
  const userId = account._id.toHexString()
  const entries = readEntries(deps, cookies)
  const deviceId = entries.find(isOf(account))?.deviceId ?? randomBytes(16).toString('base64url')
  const stamp = toStamp(account)
  const others = entries.filter((entry) => entry.userId !== userId).map(({ text }) => text)
  const added = `${userId}.${deviceId}.${stamp}.${sign(deps, { userId, deviceId, stamp })}`
  return [added, ...new Set(others)].slice(0, ACCOUNTS_MAX).join('~')
}
