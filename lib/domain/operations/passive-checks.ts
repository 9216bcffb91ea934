import type { Finding } from '../../contract/measurements.ts'
import { checkDatabase } from './check-database.ts'
import { settingChecks, stateChecks } from './check-installation.ts'
import type { OperationsDeps } from './deps.ts'
import { ok, runChecks, warn } from './run-checks.ts'

/** Runs the checks that change nothing, in the service. */
export async function runPassiveChecks(
  deps: Pick<OperationsDeps, 'config' | 'db' | 'clock' | 'feed'>,
): Promise<Finding[]> {
  const feed = () => (deps.feed.isLive() ? ok('live') : warn('not live: nothing is cached until it is back'))
  const settings = await runChecks(settingChecks(deps.config))
  return [...settings, ...(await checkDatabase(deps, { ...stateChecks(deps), 'change stream of the service': feed }))]
}
