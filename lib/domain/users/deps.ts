import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Database } from '../../infrastructure/db/connect.ts'

export interface UsersDeps {
  db: Database
  queue: KeyedQueue
}
