import { randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../../base/system/keyed-hash.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'

/** Accounts that one browser remembers, because people share browsers. */
const ACCOUNTS_MAX = 4
const ENTRY = /^[0-9a-f]{24}\.[\w-]{22}\.([0-9a-f]{24}|none)\.[\w-]{43}$/

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
}

type Secret = Pick<AuthDeps, 'jwtSecret'>

const toStamp = ({ passwordChange }: Account) => passwordChange?.stamp.toHexString() ?? 'none'

function toText({ jwtSecret }: Secret, { userId, deviceId, stamp }: Entry): string {
  const text = `${userId}.${deviceId}.${stamp}`
  return `${text}.${keyedHash(jwtSecret, 'known device', text)}`
}

/** Reads the entries that this service has signed. */
const readEntries = (deps: Secret, cookies: readonly string[]): Entry[] =>
  cookies
    .flatMap((cookie) => cookie.split('~').slice(0, ACCOUNTS_MAX))
    .filter((text) => ENTRY.test(text))
    .flatMap((text) => {
      const [userId = '', deviceId = '', stamp = ''] = text.split('.')
      const entry = { userId, deviceId, stamp }
      return timingSafeEqual(Buffer.from(text), Buffer.from(toText(deps, entry))) ? entry : []
    })

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
  const others = entries.filter((entry) => entry.userId !== userId)
  const texts = [{ userId, deviceId, stamp: toStamp(account) }, ...others].map((entry) => toText(deps, entry))
  return [...new Set(texts)].slice(0, ACCOUNTS_MAX).join('~')
}
