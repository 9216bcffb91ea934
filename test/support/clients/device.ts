import { hash } from '@node-rs/argon2'
import { ObjectId } from 'mongodb'
import type { TestService } from '../service/start-service.ts'
import type { Answer, Caller, CallOptions } from './caller.ts'

interface StoredCookie {
  value: string
  path: string
}

type Method = 'get' | 'post' | 'put' | 'delete'

/** A user's browser, which keeps the cookies of answers and sends them where their path says. */
export interface Device extends Record<Method, (path: string, options?: CallOptions) => Promise<Answer>> {
  /** The value of a cookie; undefined when there is none. */
  cookie(name: string): string | undefined
  /** The `Cookie` header that it would send. */
  header(path: string): string
  /** Another tab, which does not see the cookies of later answers. */
  copy(): Device
}

function readSetCookie(line: string): { name: string; cookie: StoredCookie | undefined } {
  const [pair = '', ...attributes] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice('Path='.length) ?? '/'
  const isGone = attributes.includes('Max-Age=0')
  return { name, cookie: isGone ? undefined : { value: pair.slice(name.length + 1), path } }
}

const isBelow = (path: string, parent: string) => parent === '/' || path === parent || path.startsWith(`${parent}/`)

/** The cookies that an answer sets, by name; the value is undefined for one that it clears. */
export const cookiesSetBy = (answer: Answer): Record<string, string | undefined> =>
  Object.fromEntries(
    answer.headers
      .getSetCookie()
      .map(readSetCookie)
      .map(({ name, cookie }) => [name, cookie?.value]),
  )

export function createDevice(guest: Caller, cookies = new Map<string, StoredCookie>()): Device {
  const header = (path: string) =>
    [...cookies]
      .filter(([, cookie]) => isBelow(path, cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')

  const send =
    (method: Method) =>
    async (path: string, options: CallOptions = {}) => {
      const cookie = header(path)
      const headers = { ...(cookie !== '' && { cookie }), ...options.headers }
      const answer = await guest[method](path, { ...options, headers })
      for (const line of answer.headers.getSetCookie()) {
        const { name, cookie } = readSetCookie(line)
        if (cookie === undefined) cookies.delete(name)
        else cookies.set(name, cookie)
      }
      return answer
    }

  return {
    get: send('get'),
    post: send('post'),
    put: send('put'),
    delete: send('delete'),
    cookie: (name) => cookies.get(name)?.value,
    header,
    copy: () => createDevice(guest, new Map(cookies)),
  }
}

let accounts = 0

/** Hashes with so little memory that a check costs next to nothing: the hash says how much one takes. */
export const hashCheaply = (password: string) => hash(password, { memoryCost: 8, timeCost: 1 })

/** Signs in a new user on another device. The limits see another address where a proxy is trusted. */
export async function signUpDevice(
  { guest, db }: Pick<TestService, 'guest' | 'db'>,
  { password = 'a long password' } = {},
) {
  accounts += 1
  const userName = `reader ${accounts}`
  const email = `reader${accounts}@example.org`
  const [_id, at, passwordHash] = [new ObjectId(), new Date(), await hashCheaply(password)]
  await db.users.insertOne({ _id, userName, email, passwordHash, roles: ['user'], createdAt: at, updatedAt: at })
  const device = createDevice(guest)
  const headers = { 'x-forwarded-for': `10.${accounts >> 16}.${(accounts >> 8) & 255}.${accounts & 255}` }
  await device.post('/auth/login', { body: { email, password }, headers })
  return { device, userName, email, password, userId: _id.toHexString() }
}

export const familyIdOf = (device: Device): string => device.cookie('refreshSessionToken')?.split('.')[0] ?? 'none'

/** Dates the rotations of a family back. */
export const ageRotations = ({ db }: Pick<TestService, 'db'>, familyId: string, seconds: number) =>
  db.refreshTokens.updateOne({ familyId }, { $set: { 'rotated.$[].at': new Date(Date.now() - seconds * 1_000) } })

export async function logInDevice(guest: Caller, { email, password }: { email: string; password: string }) {
  const device = createDevice(guest)
  await device.post('/auth/login', { body: { email, password } })
  return device
}
