import { chmodSync, createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { MongoClient } from 'mongodb'
import { readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { isDatabaseUnreachable } from '../../infrastructure/db/is-database-unreachable.ts'
import { formatTable } from '../import/print-table.ts'
import { readImportArguments } from '../import/read-arguments.ts'
import { runImport } from '../import/run-import.ts'
import type { Row } from '../import/take-part.ts'
import { openCommandDatabase } from './command-database.ts'

const PROGRESS_MS = { terminal: 250, elsewhere: 10_000 }

/** Prints the newest row: on a terminal in place, elsewhere a line now and then. */
function createProgress() {
  const { isTTY } = process.stderr
  let nextAt = 0
  return (rows: ReadonlyMap<string, Row>) => {
    const [name, row] = [...rows].at(-1) ?? []
    if (row === undefined || performance.now() < nextAt) return
    nextAt = performance.now() + (isTTY ? PROGRESS_MS.terminal : PROGRESS_MS.elsewhere)
    process.stderr.write(`${isTTY ? '\r\x1b[K' : ''}${name}: ${row.found} read, ${row.taken} taken${isTTY ? '' : '\n'}`)
  }
}

/** Opens the report, which names people, for its owner alone. */
function openReport(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const stream = createWriteStream(path, { mode: 0o600 })
  stream.once('open', () => chmodSync(path, 0o600))
  return stream
}

async function main(): Promise<void> {
  const { uri, report: file, ...options } = readImportArguments(readEnvironment(), process.argv.slice(2))
  const client = new MongoClient(uri, { readPreference: 'secondaryPreferred', serverSelectionTimeoutMS: 10_000 })
  const here = await openCommandDatabase({ mustExist: !options.isWriting, isPatient: true })
  const path = file ?? join(here.config.dataDir, 'import-report.ndjson')
  try {
    const site = client.db()
    if ((await site.listCollections({}, { nameOnly: true }).toArray()).length === 0) {
      throw new StartError(`The database ${site.databaseName} of IMPORT_URI is empty`)
    }
    if (options.isWriting) await prepareDatabase(here.uri, { print: (line) => console.error(line) })
    const stream = openReport(path)
    const report = (document: unknown) => void stream.write(`${JSON.stringify(document)}\n`)
    const rows = await runImport({ site, db: here.db, report, ...options }, createProgress())
    stream.end()
    await finished(stream)
    console.log(`${formatTable(rows)}\nWhat was left out and why: ${path}`)
    if (!options.isWriting) console.log('Nothing was written: add --write')
  } finally {
    await Promise.all([client.close(), here.close()])
  }
}

await main().catch((error: unknown) => {
  const isUnreachable = isDatabaseUnreachable(error)
  console.error(isUnreachable ? 'A database cannot be reached' : error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
