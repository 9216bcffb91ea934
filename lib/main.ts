import { createService } from './app.ts'
import { resolveJwtSecret } from './auth/development-secret.ts'
import { type Config, readConfig, readEnvironment } from './config.ts'
import { createDeps } from './create-deps.ts'
import { openDatabase, prepareDatabase } from './db/connect.ts'
import { endLeases } from './db/lease.ts'
import { startEmbeddedMongo } from './embedded-mongo/embedded-mongo.ts'
import { StartError } from './errors.ts'
import { assertPortFree } from './http/listen.ts'
import { createLogger, type Logger } from './observability/log.ts'
import { completeKeys } from './ops/complete-keys.ts'
import { createShutdown, type Shutdown } from './ops/shutdown.ts'
import { releaseClaims } from './requests/live-claim.ts'
import { describeDemoAccounts } from './seed/demo-accounts.ts'
import { isLoopbackHost } from './settings.ts'

type Print = (line: string) => void

/** The database's address; without `MONGODB_URI` that of an embedded one, which stops with the service. */
async function provideDatabase(config: Config, print: Print, shutdown: Shutdown) {
  if (config.mongodbUri !== undefined) return { uri: config.mongodbUri, isEmbedded: false }

  const onExit = (reason: string) => {
    print(`The embedded MongoDB ended (${reason}), so gamehall stops`)
    void shutdown.stop(1)
  }
  const { uri, stop } = await startEmbeddedMongo({ ...config, onExit, log: { info: print } })
  shutdown.onStop(stop)
  return { uri, isEmbedded: true }
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

async function start(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const { step, onStop } = shutdown
  // A person reads the start in development; in production every line is JSON.
  const print: Print = config.isProduction ? (line) => log.info(line) : (line) => console.log(line)

  await step(assertPortFree(config))
  const { uri, isEmbedded } = await step(provideDatabase(config, print, shutdown))
  await step(prepareDatabase(uri, { print }))
  const db = openDatabase(uri)
  onStop(db.close)
  await step(completeKeys(db))
  if (isEmbedded) {
    // The first data: read and checked only where they are filled in.
    const { fillFirstData } = await step(import('./seed/fill-first-data.ts'))
    await step(fillFirstData({ db, config, print, isAutomatic: true }))
  }

  const jwtSecret = await step(resolveJwtSecret(config))
  const deps = createDeps({ config, log, db, jwtSecret })
  if (config.imageFetchAllow.size > 0) {
    const hosts = [...config.imageFetchAllow]
    log.warn({ hosts }, 'IMAGE_FETCH_ALLOW: image downloads may reach these hosts although they are private')
  }
  const service = await step(createService(deps))
  if (isEmbedded) await step(Promise.all([endLeases(db.leases), releaseClaims(deps)]))
  onStop(service.close)
  const demoUsers = await step(describeDemoAccounts({ db, config }))
  const port = await step(service.listen())
  deps.batchWriter.start()
  deps.requestsCleanUp.start()
  print(config.isProduction ? `Listening on port ${port}` : startupBanner(config, port))
  for (const line of demoUsers) print(line)
  if (demoUsers.length > 0 && !isLoopbackHost(config.host)) {
    log.warn(
      { host: config.host },
      'Demo users exist, and HOST is open to others: demo users can sign in on this machine only',
    )
  }
}

function explain(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}

try {
  const config = readConfig(readEnvironment())
  const log = createLogger(config.logLevel)
  const shutdown = createShutdown(log)
  await start(config, log, shutdown).catch((error: unknown) => {
    explain(error)
    return shutdown.stop(1)
  })
} catch (error) {
  explain(error)
  process.exitCode = 1
}
