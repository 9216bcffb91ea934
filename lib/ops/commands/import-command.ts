import { chmodSync, createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { type Db, MongoClient } from 'mongodb'
import { readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { type PartName, SITE_COLLECTIONS } from '../import/import-run.ts'
import { formatTable } from '../import/print-table.ts'
import { runImport } from '../import/run-import.ts'
import type { Row } from '../import/take-part.ts'
import { openCommandDatabase } from './command-database.ts'

const USAGE =
  'Usage: IMPORT_URI=mongodb://… (or IMPORT_URI_FILE) npm run import -- [--write] [--only users,games,…] [--admins] [--report <file>]'
const PROGRESS_MS = { terminal: 250, elsewhere: 10_000 }
// The keys of a constant object are known.
const PARTS = Object.entries(SITE_COLLECTIONS) as [PartName, string][]

/** Finds parts by the names of their collections, at the site or here. */
function readIncluded(names: readonly string[]): ReadonlySet<PartName> {
  const included = names.map((name) => {
    const part = PARTS.find((part) => part.includes(name.trim()))
    if (part === undefined) throw new StartError(`--only takes ${Object.values(SITE_COLLECTIONS).join(', ')}`)
    return part[0]
  })
  return new Set(included)
}

function parse() {
  const [flag, text] = [{ type: 'boolean', default: false }, { type: 'string' }] as const
  try {
    return parseArgs({ allowPositionals: true, options: { write: flag, admins: flag, only: text, report: text } })
  } catch {
    throw new StartError(USAGE)
  }
}

function readArguments({ IMPORT_URI, IMPORT_URI_FILE }: NodeJS.ProcessEnv) {
  const { values, positionals } = parse()
  const uri = positionals[0] || IMPORT_URI || (IMPORT_URI_FILE && readFileSync(IMPORT_URI_FILE, 'utf8').trim())
  if (!uri || positionals.length > 1) throw new StartError(USAGE)
  const included = readIncluded(values.only?.split(',') ?? Object.values(SITE_COLLECTIONS))
  return { uri, file: values.report, included, isWriting: values.write, areAdminsKept: values.admins }
}

/** @throws StartError for a database that is no site's */
async function assertIsSite(site: Db): Promise<void> {
  const names = (await site.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  if (names.length === 0) throw new StartError(`The database ${site.databaseName} of IMPORT_URI is empty`)
  if (names.includes('refreshTokens')) throw new StartError('IMPORT_URI names a database of gamehall, not of the site')
}

/** Prints the row in work: on a terminal in place, elsewhere a line now and then. */
function createProgress() {
  const { isTTY } = process.stderr
  let nextAt = 0
  return (rows: ReadonlyMap<string, Row>) => {
    const [name, row] = [...rows].at(-1) ?? []
    if (row === undefined || performance.now() < nextAt) return
    nextAt = performance.now() + (isTTY ? PROGRESS_MS.terminal : PROGRESS_MS.elsewhere)
    const text = `${name}: ${row.found} read, ${row.taken} taken`
    process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`)
  }
}

/** Opens the report, which names people, for its owner alone. */
function openReport(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const stream = createWriteStream(path, { mode: 0o600 })
  // An earlier report may be open to others.
  stream.once('open', () => chmodSync(path, 0o600))
  return stream
}

async function main(): Promise<void> {
  const { uri, file, ...options } = readArguments(readEnvironment())
  // Requests of a service beside it come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const client = new MongoClient(uri, { readPreference: 'secondaryPreferred', serverSelectionTimeoutMS: 10_000 })
  try {
    const site = client.db()
    await assertIsSite(site)
    const here = await openCommandDatabase({ mustExist: !options.isWriting, isPatient: true })
    try {
      if (options.isWriting) await prepareDatabase(here.uri, { print: (line) => console.error(line) })
      const path = file ?? join(here.config.dataDir, 'import-report.ndjson')
      const stream = openReport(path)
      const report = (document: unknown) => void stream.write(`${JSON.stringify(document)}\n`)
      const rows = await runImport({ site, db: here.db, report, ...options }, createProgress())
      await finished(stream.end())
      console.log(`${formatTable(rows)}\nWhat stays behind and why: ${path}`)
      if (!options.isWriting) console.log('Nothing was written: add --write')
    } finally {
      await here.close()
    }
  } finally {
    await client.close()
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
