import { readConfig } from '#lib/base/config'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createSources } from '#lib/infrastructure/sources/sources'

/** Creates the clients of all sources without throttling, because the real limits of the sources have tests of their own. */
export const createFastSources = (
  env: NodeJS.ProcessEnv,
  options: Partial<Parameters<typeof createSources>[0]> = {},
): ReturnType<typeof createSources> =>
  createSources({
    config: readConfig({ ...env }),
    log: createLogger('silent'),
    limits: { requests: 10_000, withinMs: 1, open: 8 },
    ...options,
  })
