import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../../base/system/keyed-hash.ts'

const VALID_MS = 60_000

/** Signs a probe of this time in milliseconds, by the secret that only this installation has. */
export const signProbe = (secret: string, at: number) => `${at}.${keyedHash(secret, 'probe', String(at))}`

/** True for a probe that this installation signed within the last minute. */
export function isProbe(secret: string, probe: string, now: number): boolean {
  const at = Number(/^(\d{13})\.[\w-]{43}$/.exec(probe)?.[1])
  return Math.abs(now - at) < VALID_MS && timingSafeEqual(Buffer.from(probe), Buffer.from(signProbe(secret, at)))
}
