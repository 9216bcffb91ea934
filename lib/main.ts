import { type Config, readConfig, readEnvironment } from './base/config.ts'
import { StartError } from './base/errors.ts'
import { startEmbeddedMongo } from './infrastructure/embedded-mongo/embedded-mongo.ts'
import { createLogger, type Logger } from './infrastructure/observability/log.ts'
import { createShutdown, type Shutdown } from './ops/shutdown.ts'
import { serve } from './serve.ts'
import { assertPortFree } from './web/http/listen.ts'

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

async function start(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const { step } = shutdown
  // A person reads the start in development; in production every line is JSON.
  const print: Print = config.isProduction ? (line) => log.info(line) : (line) => console.log(line)

  await step(assertPortFree(config))
  const database = await step(provideDatabase(config, print, shutdown))
  await serve({ config, log, shutdown, print, ...database })
}

function explain(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}

try {
  const config = readConfig(readEnvironment())
  const log = createLogger(config.logLevel)
  const shutdown = createShutdown(log, config)
  await start(config, log, shutdown).catch((error: unknown) => {
    explain(error)
    return shutdown.stop(1)
  })
} catch (error) {
  explain(error)
  process.exitCode = 1
}
