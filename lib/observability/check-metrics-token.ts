import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Admits who knows `METRICS_TOKEN`, and everybody while none is set. Takes the same time for every wrong token.
 * @throws DomainError UNAUTHORIZED
 */
export function checkMetricsToken(
  { config }: { config: Pick<Config, 'metricsToken'> },
  given: string | undefined,
): void {
  if (config.metricsToken === undefined) return
  if (!timingSafeEqual(digest(config.metricsToken), digest(given ?? ''))) {
    throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized, { authenticate: 'Bearer' })
  }
}
