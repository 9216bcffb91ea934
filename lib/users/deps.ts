import type { KeyedQueue } from '../concurrency/keyed-queue.ts'
import type { Database } from '../db/connect.ts'

export interface UsersDeps {
  db: Database
  queue: KeyedQueue
}
