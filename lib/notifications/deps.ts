import type { Database } from '../db/connect.ts'

export interface NotificationsDeps {
  db: Database
}
