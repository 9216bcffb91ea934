import type { Config } from '../../base/config.ts'
import type { Finding } from '../../contract/measurements.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { checkDatabase } from './check-database.ts'
import { settingChecks } from './check-settings.ts'
import { createStateChecks } from './check-state.ts'
import { type Checks, ok, runChecks, warn } from './run-checks.ts'

const KEPT_MS = 60_000

interface PassiveOptions {
  config: Config
  db: Database
  clock: () => Date
  feed: { isLive(): boolean }
}

/** Creates the checks of a running service that change nothing, repeated at most once a minute. */
export function createPassiveChecks(options: PassiveOptions): () => Promise<Finding[]> {
  const { config, feed } = options
  const state: Checks = {
    ...createStateChecks(options),
    'change stream': () => (feed.isLive() ? ok('live') : warn('not live: nothing is cached until it is back')),
  }
  const run = async () => [...(await runChecks(settingChecks(config))), ...(await checkDatabase(options, state))]
  let last: { findings: Promise<Finding[]>; at: number } | undefined

  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at > KEPT_MS) last = { findings: run(), at: now }
    return last.findings
  }
}
