import { setTimeout as sleep } from 'node:timers/promises'
import { createService, listJobs } from './app.ts'
import type { Config } from './base/config.ts'
import { isLoopbackHost } from './base/settings.ts'
import { createDeps } from './create-deps.ts'
import type { Deps } from './deps.ts'
import { offerFirstAdmin } from './domain/auth/admin-role.ts'
import { describeDemoAccounts } from './domain/auth/demo-users.ts'
import { resolveJwtSecret } from './domain/auth/development-secret.ts'
import { measureSlowestCheck } from './domain/auth/passwords.ts'
import { runPassiveChecks, storageChecks } from './domain/operations/check-installation.ts'
import { runChecks } from './domain/operations/run-checks.ts'
import { releaseClaims } from './domain/requests/live-claim.ts'
import { openDatabase, prepareDatabase } from './infrastructure/db/connect.ts'
import { endLeases } from './infrastructure/db/lease.ts'
import { readSchema } from './infrastructure/db/migrate.ts'
import type { Logger } from './infrastructure/observability/log.ts'
import { fillFirstData } from './ops/seed/fill-first-data.ts'
import type { Shutdown } from './ops/shutdown.ts'

interface ServeOptions {
  config: Config
  log: Logger
  shutdown: Shutdown
  print(line: string): void
  uri: string
  /** True when no other process uses this database. */
  isEmbedded: boolean
}

function startupBanner(config: Config, port: number): string {
  const publicUrl = config.publicUrl.replace(/:0$/, `:${port}`)
  return `
gamehall is up: ${publicUrl}
  open it in a browser   ${publicUrl}/console
  endpoints and events   ${publicUrl}/docs
  some games             ${publicUrl}/games/search?searchString=chrono
  health                 ${publicUrl}/readyz
`
}

/** Logs the findings of those checks of `npm run doctor` that a start can run. A slow storage delays them. */
async function logFindings(deps: Deps, { step }: Shutdown): Promise<void> {
  const findings = [runPassiveChecks(deps), runChecks(storageChecks(deps.storage, { isServed: false }))]
  for (const found of findings) {
    for (const { check, state, text } of await step(found)) if (state !== 'ok') deps.log.warn({ check }, text)
  }
}

/** Prepares the database and serves. @throws StartError in one line */
export async function serve({ config, log, shutdown, print, uri, isEmbedded }: ServeOptions): Promise<void> {
  const { step, onStop } = shutdown
  await step(prepareDatabase(uri, { print }))
  const db = openDatabase(uri)
  onStop(db.close)
  // No restore begins while this process is connected. A restore that began earlier is found here.
  await step(readSchema(db.meta))
  await step(fillFirstData({ db, config, print, isAutomatic: true }))

  const jwtSecret = await step(resolveJwtSecret(config))
  const passwordCheckMs = await step(measureSlowestCheck())
  const deps = createDeps({ config, log, db, jwtSecret, passwordCheckMs })
  const service = await step(createService(deps))
  if (isEmbedded) await step(Promise.all([endLeases(db.leases), releaseClaims(deps)]))
  onStop(() => service.close())
  const demoUsers = config.site ? [] : await step(describeDemoAccounts({ db, config }))
  const firstAdmin = config.isProduction && !config.site ? await step(offerFirstAdmin(db)) : null
  await step(service.readFiles())
  const port = await step(service.listen())
  onStop(async (exitCode) => {
    deps.draining.abort()
    if (exitCode !== 0 || config.drainMs === 0) return
    log.info({ drainMs: config.drainMs }, 'about to stop: /readyz answers 503')
    await sleep(config.drainMs)
  })
  for (const job of listJobs(deps)) job.start()
  void logFindings(deps, shutdown)
  print(config.isProduction ? `Listening on port ${port}` : startupBanner(config, port))
  for (const line of demoUsers) print(line)
  // The log does not get the address, because whoever opens it becomes admin.
  if (firstAdmin !== null) {
    const address = `${config.publicUrl}/console#/first-admin/${firstAdmin}`
    console.log(
      `No admin is stored. Whoever opens this address signed in within 24 hours becomes the first, once:\n  ${address}`,
    )
  }
  if (demoUsers.length > 0 && !isLoopbackHost(config.host)) {
    log.warn(
      { host: config.host },
      'Demo users exist, and HOST is open to others: demo users can sign in on this machine only',
    )
  }
}
