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
  /** Called once when mongod ends although nobody stopped it. */
  onExit?: (reason: string) => void
  log: EmbeddedLog
}

export interface EmbeddedLog {
  info(message: string): void
}
