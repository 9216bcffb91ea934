import { fchmodSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { type Db, MongoClient } from 'mongodb'
import { readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { type PartName, SITE_COLLECTIONS } from '../import/import-run.ts'
import { runImport } from '../import/run-import.ts'
import type { Row } from '../import/take-part.ts'
import { runCommand } from './run-command.ts'

// The keys of a constant object are known.
const PARTS = Object.entries(SITE_COLLECTIONS) as [PartName, string][]

function readIncluded(names: readonly string[]): ReadonlySet<PartName> {
  const included = names.map((name) => {
    const part = PARTS.find((part) => part.includes(name.trim()))
    if (part === undefined) throw new StartError(`--only takes ${Object.values(SITE_COLLECTIONS).join(', ')}`)
    return part[0]
  })
  return new Set(included)
}

async function assertIsSite(site: Db): Promise<void> {
  const names = (await site.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  if (names.length === 0) throw new StartError(`The database ${site.databaseName} of IMPORT_URI is empty`)
  if (names.includes('refreshTokens')) throw new StartError('IMPORT_URI names a database of gamehall, not of the site')
}

const list = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, count]) => `${name}: ${count}`)

function formatTable(rows: ReadonlyMap<string, Row>): string {
  const head = ['', 'found', 'taken', 'there already', 'mapped', 'left out']
  const body = [...rows].map(([name, { found, taken, there, mapped, leftOut }]) => {
    const count = [...leftOut.values()].reduce((sum, documents) => sum + documents, 0)
    return [name, ...[found, taken, there, mapped, count].map(String)]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column]?.length ?? 0)))
  const toLine = ([name = '', ...cells]: readonly string[]) =>
    [name.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join('  ')
  const details = [...rows].flatMap(([name, { leftOut, counted }]) => [
    ...list(leftOut).map((line) => `${name} left out because ${line}`),
    ...list(counted).map((line) => `${name} ${line}`),
  ])
  return [toLine(head), ...body.map(toLine), ...details].join('\n')
}

/** Opens the report so that only its owner can read it, because it names people. */
function openReport(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w', 0o600)
  // An earlier report may be open to others.
  fchmodSync(file, 0o600)
  return (document: unknown) => void writeSync(file, `${JSON.stringify(document)}\n`)
}

await runCommand({
  usage:
    'IMPORT_URI=mongodb://… (or IMPORT_URI_FILE) npm run import -- [--write] [--only users,games,…] [--admins] [--report <file>]',
  options: {
    write: { type: 'boolean', default: false },
    admins: { type: 'boolean', default: false },
    only: { type: 'string' },
    report: { type: 'string' },
  },
  database: { mustExist: false, isPatient: true },

  read({ words: [address, ...others], values: { write, admins, only, report } }) {
    const uri = address || readEnvironment().IMPORT_URI
    if (!uri || others.length > 0) return null
    const included = readIncluded(only?.split(',') ?? Object.values(SITE_COLLECTIONS))
    return { address: uri, file: report, included, isWriting: write, areAdminsKept: admins }
  },

  async run({ db, config, uri, show }, { address, file, ...options }) {
    // Requests of a running service come first.
    setPriority(constants.priority.PRIORITY_LOW)
    const client = new MongoClient(address, { readPreference: 'secondaryPreferred', serverSelectionTimeoutMS: 10_000 })
    try {
      const site = client.db()
      await assertIsSite(site)
      if (options.isWriting) await prepareDatabase(uri, { print: (line) => console.error(line) })
      const path = file ?? join(config.dataDir, 'import-report.ndjson')
      const rows = await runImport({ site, db, report: openReport(path), ...options }, (name, { found, taken }) =>
        show(() => `${name}: ${found} read, ${taken} taken`),
      )
      const table = `${formatTable(rows)}\nWhat stays behind and why: ${path}`
      return options.isWriting ? table : `${table}\nNothing was written: add --write`
    } finally {
      await client.close()
    }
  },
})
