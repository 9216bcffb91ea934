import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Admits callers with `METRICS_TOKEN`. Without that setting it admits callers on this machine, and in development all. @throws DomainError UNAUTHORIZED */
export function checkMetricsToken(
  { config }: { config: Pick<Config, 'metricsToken' | 'isProduction'> },
  { bearerToken = '', isLocal }: { bearerToken: string | undefined; isLocal: boolean },
): void {
  const { metricsToken, isProduction } = config
  const isAdmitted =
    metricsToken === undefined ? isLocal || !isProduction : timingSafeEqual(digest(metricsToken), digest(bearerToken))

  if (!isAdmitted) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized, { authenticate: 'Bearer' })
}
