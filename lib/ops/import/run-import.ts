import { IMPORT_END } from '../../infrastructure/db/collections/imports.ts'
import { createImportRun, type ImportRun, type PartName, type RunOptions } from './import-run.ts'
import { charactersPart, gamesPart } from './parts/catalogue.ts'
import { REPLIES, THREADS } from './parts/comments.ts'
import { CONFLICTS } from './parts/conflicts.ts'
import { NOTIFICATIONS } from './parts/notifications.ts'
import { PLATFORMS } from './parts/platforms.ts'
import { requestsPart } from './parts/requests.ts'
import { usersPart } from './parts/users.ts'
import { REPORTS, VOTES } from './parts/votes.ts'
import { type Part, type Row, takePart } from './take-part.ts'

/** In the order of their dependencies. */
const PARTS: readonly { of: PartName; create: () => Part }[] = [
  { of: 'platforms', create: () => PLATFORMS },
  { of: 'games', create: gamesPart },
  { of: 'characters', create: charactersPart },
  { of: 'users', create: usersPart },
  { of: 'comments', create: () => THREADS },
  { of: 'comments', create: () => REPLIES },
  { of: 'comments', create: () => VOTES },
  { of: 'comments', create: () => REPORTS },
  { of: 'contentRequests', create: requestsPart },
  { of: 'conflicts', create: () => CONFLICTS },
  { of: 'notifications', create: () => NOTIFICATIONS },
]

const newRow = (): Row => ({ found: 0, taken: 0, there: 0, mapped: 0, leftOut: new Map(), counted: new Map() })

/** Lets clients read again when anything was stored since an import last ended. */
async function announceEnd({ db: { imports } }: ImportRun): Promise<void> {
  const batches = await imports.countDocuments({ _id: { $ne: IMPORT_END } })
  const end = await imports.findOne({ _id: IMPORT_END })
  if ((end?.batches ?? 0) === batches) return
  await imports.updateOne({ _id: IMPORT_END }, { $set: { batches } }, { upsert: true })
}

/**
 * Brings the documents of the site's database over, or finds out what would come. A second run stores what has been added
 * there since, and nothing else.
 */
export async function runImport(
  options: RunOptions,
  onProgress: (name: string, row: Row) => void = () => {},
): Promise<ReadonlyMap<string, Row>> {
  const run = await createImportRun(options)
  const rows = new Map<string, Row>()
  for (const { of, create } of PARTS) {
    if (!run.included.has(of)) continue
    const part = create()
    const row = rows.get(part.name) ?? newRow()
    rows.set(part.name, row)
    await takePart(run, part, row, () => onProgress(part.name, row))
  }
  if (run.isWriting) await announceEnd(run)
  return rows
}
