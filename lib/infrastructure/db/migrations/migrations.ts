import type { Db } from 'mongodb'

/** Changes what is stored from one schema to the next. Each has a file of its own in this folder. */
export interface Migration {
  /** What it does, for the line of the start. */
  name: string
  /** May be killed, and run again beside a late command: its filter finds only the old form. It stops at `lost`. */
  run(db: Db, lost: AbortSignal): Promise<void>
}

/** All migrations, the oldest first. The schema of a release is their number and one; an entry is never removed or moved. */
export const MIGRATIONS: readonly Migration[] = []
