import { DomainError } from '../../lib/base/errors.ts'
import { VERSION } from '../../lib/base/version.ts'
import { MESSAGES, Probe } from '../../lib/contract/index.ts'
import { isProbe } from '../../lib/domain/operations/probe.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Tell `npm run doctor` how its request arrived; a token that it did not sign within a minute gets 404',
  auth: 'public',
  takesBearer: true,
  response: Probe,
  errors: ['NOT_FOUND'],

  async handle({ bearerToken = '', header, deps }) {
    const { config, feed, jwtSecret, clock } = deps
    if (!isProbe(jwtSecret, bearerToken, clock().getTime())) throw new DomainError('NOT_FOUND', MESSAGES.nothingHere)

    const forwardedFor = header('x-forwarded-for') ?? null
    return { version: VERSION, trustProxy: config.trustProxy, forwardedFor, isFeedLive: feed.isLive() }
  },
})
