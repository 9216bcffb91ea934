import { IMPORT_END } from '../../infrastructure/db/collections/imports.ts'
import { createImportRun, type ImportRun, type RunOptions } from './import-run.ts'
import { toPlatform } from './map-platforms.ts'
import { CHARACTERS, GAMES } from './parts/catalogue.ts'
import { REPLIES, THREADS } from './parts/comments.ts'
import { CONFLICTS } from './parts/conflicts.ts'
import { NOTIFICATIONS } from './parts/notifications.ts'
import { REQUESTS } from './parts/requests.ts'
import { USERS } from './parts/users.ts'
import { REPORTS, VOTES } from './parts/votes.ts'
import { type Part, type Row, takePart } from './take-part.ts'

const PLATFORMS: Part = {
  of: 'platforms',
  async plan(documents, { platforms }) {
    return documents.map((document) => {
      const platform = toPlatform(document)
      if (platforms.has(document._id.toHexString())) return 'mapped'
      return platform.name && platform.slug ? { document: platform } : { leftOut: 'it has no name or slug' }
    })
  },
}

/** The parts, in the order of their dependencies. */
const PARTS = [
  PLATFORMS,
  GAMES,
  CHARACTERS,
  USERS,
  THREADS,
  REPLIES,
  VOTES,
  REPORTS,
  REQUESTS,
  CONFLICTS,
  NOTIFICATIONS,
]

const newRow = (): Row => ({ found: 0, taken: 0, there: 0, mapped: 0, leftOut: new Map(), counted: new Map() })

/** Lets clients read again when anything was stored since an import last ended. */
async function announceEnd({ db: { imports } }: ImportRun): Promise<void> {
  const batches = await imports.countDocuments({ _id: { $ne: IMPORT_END } })
  const end = await imports.findOne({ _id: IMPORT_END })
  if ((end?.batches ?? 0) === batches) return
  await imports.updateOne({ _id: IMPORT_END }, { $set: { batches } }, { upsert: true })
}

/** Imports the documents of the site's database that no earlier import has stored, or counts them in a dry run. */
export async function runImport(
  options: RunOptions,
  onProgress: (name: string, row: Row) => void = () => {},
): Promise<ReadonlyMap<string, Row>> {
  const run = await createImportRun(options)
  const rows = new Map<string, Row>()
  for (const part of PARTS) {
    const { of, name = of } = part
    if (!run.included.has(of)) continue
    const row = rows.get(name) ?? newRow()
    rows.set(name, row)
    await takePart(run, part, row, () => onProgress(name, row))
  }
  if (run.isWriting) await announceEnd(run)
  return rows
}
