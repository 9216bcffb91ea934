import type { Database } from '../../infrastructure/db/connect.ts'

export interface NotificationsDeps {
  db: Database
}
