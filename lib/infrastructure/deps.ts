import type { Config } from '../base/config.ts'
import type { Failpoint } from './concurrency/failpoint.ts'
import type { KeyedQueue } from './concurrency/keyed-queue.ts'
import type { Database } from './db/connect.ts'
import type { Emitter } from './events/emitter.ts'
import type { Logger } from './observability/log.ts'
import type { Storage } from './storage/storage.ts'

/** The parts that most rooms of the domain need; each room adds its own. */
export interface CommonDeps {
  config: Config
  log: Logger
  clock: () => Date
  db: Database
  failpoint: Failpoint
  queue: KeyedQueue
  emit: Emitter
  instance: string
  storage: Storage
}
