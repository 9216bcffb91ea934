import { refreshSession } from '../../../lib/auth/refresh-session.ts'
import { depsUntilStep } from './deps-until-step.ts'

/** A process that is sent a refresh token for the second time and is killed at a step: `<refresh token> <step>`. */
const [refreshToken = '', fatalStep] = process.argv.slice(2)
const deps = depsUntilStep(fatalStep)
await refreshSession(deps, { refreshTokens: [refreshToken], whenEnded: () => {} })
