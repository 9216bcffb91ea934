import type { webcrypto } from 'node:crypto'
import { request as send } from 'undici'
import { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import { readAtMost } from '../../base/system/read-at-most.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { REQUEST_TIMEOUT_MS } from '../concurrency/timeouts.ts'
import type { Logger } from '../observability/log.ts'

export interface SigningKey {
  key: webcrypto.JsonWebKey
  alg: 'RS256' | 'ES256' | 'EdDSA'
}

type Keys = ReadonlyMap<string, SigningKey>

const READ_MS = REQUEST_TIMEOUT_MS - 500
const KEPT_MS = 60 * 60_000
/** The least time between two readings, for an unknown key and for a set that is older than `KEPT_MS`. */
const READ_APART_MS = 60_000
/** The same before any set was read, while nobody can sign in. */
const FIRST_READ_APART_MS = 5_000
const MAX_BYTES = 1_000_000
const facts = { kid: z.string(), use: z.literal('sig').optional() }
const RsaKey = z.object({
  ...facts,
  kty: z.literal('RSA'),
  alg: z.literal('RS256').optional(),
  n: z.string(),
  e: z.string(),
})
const curve = { ...facts, x: z.string() }
const EcKey = z.object({
  ...curve,
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256').optional(),
  y: z.string(),
})
const EdKey = z.object({
  ...curve,
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.enum(['EdDSA', 'Ed25519']).optional(),
})
const KeySet = z.object({ keys: z.array(z.unknown()) })
const Key = z.discriminatedUnion('kty', [RsaKey, EcKey, EdKey])
const ALGORITHMS = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' } as const

/** Reads the signing keys of a set. Private parts, symmetric keys and keys of other algorithms are left out. */
function readKeys(text: string): Keys {
  const { keys } = KeySet.parse(JSON.parse(text))
  const found = keys.flatMap((each) => {
    const { kid, use, alg, ...key } = Key.safeParse(each).data ?? {}
    return kid === undefined || !('kty' in key) ? [] : [[kid, { key, alg: ALGORITHMS[key.kty] }] as const]
  })
  // The first key of an id counts.
  return new Map(found.reverse())
}

/** Creates the reader of a published key set (JWKS). Keys that were read stay valid while the set cannot be reached. */
export function createKeySet({ url, log, clock }: { url: string; log: Logger; clock: () => Date }) {
  let keys: Keys | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(READ_MS)
      const { statusCode, body } = await send(url, { headers: { accept: 'application/json' }, signal })
      const bytes = await readAtMost(body, MAX_BYTES)
      if (statusCode !== 200 || bytes === undefined) throw new Error(`the key set answered with status ${statusCode}`)
      keys = readKeys(bytes.toString('utf8'))
      readAt = clock().getTime()
    } catch (error) {
      log.warn({ err: error, url }, 'the key set of the site could not be read')
    }
  }

  /** Reads the set unless the last attempt was less than `apartMs` ago. Concurrent callers share a reading. */
  async function refresh(apartMs: number): Promise<void> {
    if (reading === undefined && clock().getTime() - triedAt >= apartMs) {
      triedAt = clock().getTime()
      reading = read().finally(() => {
        reading = undefined
      })
    }
    await reading
  }

  return {
    /** Finds the key with an id; null when the set has none. @throws DomainError UNAVAILABLE while no set was ever read */
    async find(kid: string): Promise<SigningKey | null> {
      if (keys === undefined) await refresh(FIRST_READ_APART_MS)
      else if (!keys.has(kid) || clock().getTime() - readAt >= KEPT_MS) await refresh(READ_APART_MS)
      if (keys === undefined) throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
      return keys.get(kid) ?? null
    },
  }
}
