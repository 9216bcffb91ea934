import { findDemoAccounts } from './find-demo-accounts.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

/** Comments by their keys, with who reported them. */
const REPORTS: Readonly<Record<string, readonly string[]>> = {
  're2-mister-x-tip': ['alice', 'carol'],
  'ow-ending-solanum': ['bob'],
}

/** Reports some comments of the demo users, so that admins have something to look at. */
export async function fillReports({ db }: SeedContext): Promise<void> {
  const accounts = await findDemoAccounts(db)
  const ids = new Map(accounts.map(({ userName, _id }) => [userName, _id]))

  for (const [key, names] of Object.entries(REPORTS)) {
    const reportedBy = names.flatMap((name) => ids.get(name) ?? [])
    await db.comments.updateOne(
      { _id: seedId('comment', key), status: 'visible', reportsCount: 0 },
      { $set: { reportedBy, reportsCount: reportedBy.length } },
    )
  }
}
