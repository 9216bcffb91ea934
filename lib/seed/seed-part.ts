import type { Database } from '../db/connect.ts'
import type { Storage } from '../storage/storage.ts'

/** The input of filling a part. */
export interface SeedContext {
  db: Database
  /** When the part was begun; the same at each attempt. */
  at: Date
  /** Tells a person what could not be written. */
  print(line: string): void
  /** Where images are stored. */
  storage: Storage
}

/**
 * A part of the first data. It writes only what is missing, so a killed attempt can be repeated, and it leaves alone
 * what somebody else stored under the same name.
 */
export interface SeedPart {
  name: string
  /** Without them there is nobody to write it for. */
  needsDemoUsers: boolean
  fill(context: SeedContext): Promise<void>
}
