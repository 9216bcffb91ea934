import { createEmitter } from '../realtime/emitter.ts'
import { createAuthLimits } from './auth/auth-limits.ts'
import { createUnansweredRotations } from './auth/refresh-session.ts'
import { createTokenVerifier } from './auth/verify-token.ts'
import { createCommentCaches } from './comments/caches.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import type { Deps } from './deps.ts'
import { createInOrder } from './ops/in-order.ts'
import type { Logger } from './ops/log.ts'
import { createMetrics } from './ops/metrics.ts'
import { createRateLimits } from './ops/rate-limits.ts'
import { createKnownGames } from './royal/known-games.ts'

interface Given {
  config: Config
  jwtSecret: string
  log: Logger
  db: Database
  clock?: () => Date
}

/** Builds everything that lives as long as the process. */
export function createDeps({ config, jwtSecret, log, db, clock = () => new Date() }: Given): Deps {
  const metrics = createMetrics()

  return {
    config,
    jwtSecret,
    log,
    clock,
    db,
    metrics,
    emit: createEmitter({ log, metrics }),
    inOrder: createInOrder(),
    limits: createRateLimits(config, clock),
    verifyToken: createTokenVerifier(jwtSecret, clock),
    authLimits: createAuthLimits(clock),
    unansweredRotations: createUnansweredRotations(),
    commentCaches: createCommentCaches(),
    knownGames: createKnownGames(),
  }
}
