import type { MongodHistory } from './mongod-process.ts'

export interface EmbeddedOptions {
  /** Absolute; created when missing. */
  dataDir: string
  /** `MONGOD_BINARY` */
  mongodBinary?: string | undefined
  /** `PATH` */
  searchPath: string
  /** Where binaries are kept from one start to the next. */
  cacheDir: string
  /** Where there is no database, none is made. */
  mustExist?: boolean
  /** The usual one by default. */
  history?: MongodHistory
  log: EmbeddedLog
}

export interface EmbeddedLog {
  info(message: string): void
  warn(message: string): void
}
