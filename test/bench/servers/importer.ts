import { constants, setPriority } from 'node:os'
import { MongoClient } from 'mongodb'
import { openDatabase, prepareDatabase } from '#lib/infrastructure/db/connect'
import { type PartName, SITE_COLLECTIONS } from '#lib/ops/import/import-run'
import { runImport } from '#lib/ops/import/run-import'
import { answerParent } from '../answer-parent.ts'

// The command does the same.
setPriority(constants.priority.PRIORITY_LOW)
const { BENCH_MONGODB_URI: uri = '', BENCH_SITE_URI: siteUri = '' } = process.env
await prepareDatabase(uri)
const db = openDatabase(uri)
const site = new MongoClient(siteUri).db()
// The keys of a constant object are known.
const names = Object.keys(SITE_COLLECTIONS) as PartName[]

answerParent({
  /** Imports one part, or all but it. Returns the number of documents that were read. */
  import: async (value) => {
    const included = new Set(names.filter((name) => (name === 'games' || name === 'platforms') === (value === 'games')))
    const rows = await runImport({ site, db, isWriting: true, areAdminsKept: false, included, report: () => {} })
    return [...rows.values()].reduce((sum, { found }) => sum + found, 0)
  },
  /** The most memory that this process had, in bytes. */
  maxRss: () => process.resourceUsage().maxRSS * 1_024,
})
