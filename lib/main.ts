import { createService } from './app.ts'
import { resolveJwtSecret } from './auth/development-secret.ts'
import { type Config, readConfig, readEnvironment } from './config.ts'
import { createDeps } from './create-deps.ts'
import { openDatabase, prepareDatabase } from './db/connect.ts'
import { startEmbeddedMongo } from './db/embedded/embedded-mongo.ts'
import { StartError } from './errors.ts'
import { completeKeys } from './games/complete-keys.ts'
import { createLogger, type Logger } from './ops/log.ts'
import { fillFirstData, findDemoUsers } from './ops/seed.ts'
import { createShutdown, type Shutdown } from './ops/shutdown.ts'

const say = (line: string) => console.log(line)

/** The database's address; without `MONGODB_URI` that of an embedded one, which stops with the service. */
async function provideDatabase(config: Config, onStop: (close: () => Promise<void>) => void) {
  if (config.mongodbUri !== undefined) return { uri: config.mongodbUri, isEmbedded: false }

  const { uri, stop } = await startEmbeddedMongo({ ...config, log: { info: say, warn: say } })
  onStop(stop)
  return { uri, isEmbedded: true }
}

function sayWhereToLook({ publicUrl, isProduction }: Config, port: number, log: Logger): void {
  if (isProduction) {
    log.info({ port }, 'listening')
    return
  }
  say(`
gamehall is up: ${publicUrl}
  endpoints and events   ${publicUrl}/docs
  some games             ${publicUrl}/games/search?searchString=chrono
  is it well?            ${publicUrl}/readyz
`)
}

async function start(config: Config, log: Logger, { step, onStop }: Shutdown): Promise<void> {
  const { uri, isEmbedded } = await step(provideDatabase(config, onStop))
  await step(prepareDatabase(uri))
  const db = openDatabase(uri)
  onStop(db.close)
  await step(completeKeys(db, say))
  if (isEmbedded) await step(fillFirstData({ db, config, say, isAutomatic: true }))

  const jwtSecret = await step(resolveJwtSecret(config))
  const service = await step(createService(createDeps({ config, log, db, jwtSecret })))
  onStop(service.close)
  const port = await step(service.listen())
  sayWhereToLook(config, port, log)
  for (const line of await step(findDemoUsers({ db, config }))) say(line)
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
