import { DEMO_PASSWORD } from '../auth/demo-users.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { listDemoUsers } from './list-demo-users.ts'

/** The lines to print at a start: which demo users still have the published password. */
export async function findDemoUsers({ db, config }: { db: Database; config: Config }): Promise<string[]> {
  const users = await listDemoUsers({ db, config }, { isLocal: true })
  const names = users.map(({ userName, isAdmin }) => (isAdmin ? `${userName} (admin)` : userName))
  return names.length === 0
    ? []
    : [`Demo users: ${names.join(', ')}; e-mail <name>@example.com, password ${DEMO_PASSWORD}`]
}
