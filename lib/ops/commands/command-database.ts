import { type Config, readConfig, readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { DATABASE_TIMEOUTS } from '../../infrastructure/concurrency/timeouts.ts'
import { openDatabase } from '../../infrastructure/db/connect.ts'
import { describeOutage, isDatabaseUnreachable } from '../../infrastructure/db/is-database-unreachable.ts'
import { readSchema } from '../../infrastructure/db/migrate.ts'
import { startEmbeddedMongo } from '../../infrastructure/embedded-mongo/embedded-mongo.ts'

export type CommandDatabase = Awaited<ReturnType<typeof openCommandDatabase>>

export interface DatabaseOptions {
  mustExist: boolean
  isPatient?: boolean
  isRestoring?: boolean
}

/** The time limit of a patient command, which reads and writes much beside a running service. */
const PATIENT_MS = 60_000

/** Logs to standard error, because standard output is for the result of the command. */
const log = { info: (line: string) => console.error(line) }

/** Finds the database of an installation, or starts the embedded one. @throws StartError with one sentence */
export const findDatabase = async (config: Config, { mustExist }: Pick<DatabaseOptions, 'mustExist'>) =>
  config.mongodbUri === undefined
    ? await startEmbeddedMongo({ ...config, mustExist, canJoin: true, log })
    : { uri: config.mongodbUri, stop: async () => {} }

/** Opens the database of this installation, embedded or not, running or not. @throws StartError with one sentence */
export async function openCommandDatabase({ mustExist, isPatient, isRestoring }: DatabaseOptions) {
  const config = readConfig(readEnvironment())
  const { uri, stop } = await findDatabase(config, { mustExist })
  const db = openDatabase(uri, isPatient ? { timeouts: { ...DATABASE_TIMEOUTS, socketTimeoutMS: PATIENT_MS } } : {})

  async function close() {
    await db.close()
    await stop()
  }
  try {
    await db.ping()
    if (!isRestoring) await readSchema(db.meta)
  } catch (error) {
    await close()
    if (isDatabaseUnreachable(error)) throw new StartError(describeOutage(error))
    throw error
  }
  return { config, db, uri, close }
}
