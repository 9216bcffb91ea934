import { createHash } from 'node:crypto'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { KeyScope } from '../../infrastructure/db/collections/service-keys.ts'
import type { ServiceKeysDeps } from './deps.ts'

const FORM = /^ghk_[\w-]{43}$/
const USE_STORED_EVERY_MS = 60_000

/** A random key needs no slow hash. */
export const hashServiceKey = (key: string) => createHash('sha256').update(key).digest('hex')

/**
 * Finds a service key by its text, takes one request of its minute, and stores its use once a minute.
 * @throws DomainError UNAUTHORIZED for an unknown or a missing key, RATE_LIMITED
 */
export async function useServiceKey(
  { db: { serviceKeys }, clock, limits }: ServiceKeysDeps,
  { token, address }: { token: string | undefined; address: string },
): Promise<{ name: string; scopes: readonly KeyScope[] }> {
  const hash = token !== undefined && FORM.test(token) ? hashServiceKey(token) : null
  // Read each time, so that a revoked key ends at once on every instance.
  const key = hash === null ? null : await serviceKeys.findOne({ hash })
  if (key === null) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized, { authenticate: 'Bearer' })

  const { _id, scopes, lastUsedAt } = key
  await limits.serviceKeys.consume(_id)
  const now = clock()
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_STORED_EVERY_MS) {
    // Requests at the same time store it once.
    await serviceKeys.updateOne(
      { _id, hash: key.hash, lastUsedAt },
      { $set: { lastUsedAt: now, lastAddress: address } },
    )
  }
  return { name: _id, scopes }
}
