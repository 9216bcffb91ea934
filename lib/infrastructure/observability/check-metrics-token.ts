import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

interface MetricsDeps {
  config: Pick<Config, 'metricsToken' | 'isProduction'>
}

interface MetricsCaller {
  bearerToken: string | undefined
  /** Whether the request comes from this machine, through no proxy. */
  isLocal: boolean
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Admits whoever knows `METRICS_TOKEN`; while none is set, everybody in development and callers on this machine in
 * production. Takes the same time for every wrong token.
 * @throws DomainError UNAUTHORIZED
 */
export function checkMetricsToken({ config }: MetricsDeps, { bearerToken = '', isLocal }: MetricsCaller): void {
  const { metricsToken, isProduction } = config
  const isAdmitted =
    metricsToken === undefined ? isLocal || !isProduction : timingSafeEqual(digest(metricsToken), digest(bearerToken))

  if (!isAdmitted) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized, { authenticate: 'Bearer' })
}
