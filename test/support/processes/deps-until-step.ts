import { readConfig } from '../../../lib/config.ts'
import { createDeps } from '../../../lib/create-deps.ts'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createLogger } from '../../../lib/observability/log.ts'

/** The parts of a service for a process that is killed when it reaches a named step. */
export function depsUntilStep(fatalStep: string | undefined): ReturnType<typeof createDeps> {
  const config = readConfig(process.env)
  return createDeps({
    config,
    jwtSecret: '',
    log: createLogger('silent'),
    db: openDatabase(config.mongodbUri ?? ''),
    failpoint: async (step) => {
      if (step !== fatalStep) return
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)
    },
  })
}
