import { refreshSession } from '../../../lib/auth/refresh-session.ts'
import { readConfig } from '../../../lib/config.ts'
import { createDeps } from '../../../lib/create-deps.ts'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createLogger } from '../../../lib/observability/log.ts'

/** A process that is sent a refresh token for the second time and is killed at a step: `<refresh token> <step>`. */
const [refreshToken = '', fatalStep] = process.argv.slice(2)
const config = readConfig(process.env)
const deps = createDeps({
  config,
  jwtSecret: '',
  log: createLogger('silent'),
  db: openDatabase(config.mongodbUri ?? ''),
  probe: async (step) => {
    if (step !== fatalStep) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  },
})
await refreshSession(deps, { refreshTokens: [refreshToken], whenEnded: () => {} })
