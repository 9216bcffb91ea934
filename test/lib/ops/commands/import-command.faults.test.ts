import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDatabase, prepareDatabase } from '#lib/infrastructure/db/connect'
import { usePrivateMongo } from '../../../support/processes/private-mongo.ts'
import { refusedWith, runCommand, startCommand } from '../../../support/processes/run-command.ts'
import { atEnd } from '../../../support/service/close-at-end.ts'
import { useClient } from '../../../support/service/use-client.ts'
import { useFolder } from '../../../support/service/use-folder.ts'
import { fillSite, generateSite } from '../../../support/site/generate-site.ts'

// This server ends a killed transaction, which holds locks until then, after 3 s.
const mongo = await usePrivateMongo()
const dataDir = await useFolder()
const siteAddress = new URL(mongo.uri)
siteAddress.pathname = '/site'
const siteUri = siteAddress.href
const client = await useClient(siteUri)
// This lower limit of `$push` stands for the default one at a site with 100,000 games that lack a field.
await client.db('admin').command({ setParameter: 1, internalQueryMaxPushBytes: 50_000 })
const db = openDatabase(mongo.uri)
atEnd(db.close)

const SIZE = { seed: 3, games: 800, users: 200, comments: 1_400 }
await fillSite(client.db(), SIZE)
const settings = { DATA_DIR: dataDir, MONGODB_URI: mongo.uri, IMPORT_URI: siteUri }
const KILLS = 20

const countBatches = () => db.imports.countDocuments()

it('a dry run counts what an import would take, and writes the report alone', async () => {
  const { code, stdout } = await runCommand('import-command', [], settings)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\s+found +taken +there already +mapped +left out\nplatforms +8 +6 +0 +1 +1\n/)
  expect(stdout).toMatch(/Nothing was written: add --write\n$/)
  const report = join(dataDir, 'import-report.ndjson')
  expect((await stat(report)).mode & 0o777).toBe(0o600)
  const lines = (await readFile(report, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.length).toBeGreaterThan(SIZE.comments / 20)
  expect(Object.keys(lines[0])).toEqual(['collection', '_id', 'reason'])
  expect(await countBatches()).toBe(0)
})

it('a dry run needs no installation', async () => {
  const { MONGODB_URI: _, ...others } = settings
  const { code, stdout } = await runCommand('import-command', [], { ...others, DATA_DIR: join(dataDir, 'fresh') })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('\nNothing was written') })
})

it(`an import that is killed ${KILLS} times goes on, and the run after its end changes nothing`, async () => {
  await prepareDatabase(mongo.uri)
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = startCommand('import-command', ['--write'], settings)
    const before = await countBatches()
    // Another batch is under way when the process is killed.
    while (child.exitCode === null && (await countBatches()) === before) await sleep(20)
    child.kill('SIGKILL')
    await ended
  }
  const last = await runCommand('import-command', ['--write'], settings)
  expect(last.code).toBe(0)
  const taken = [...generateSite(SIZE)].filter(({ collection, fate }) => collection === 'games' && fate === 'taken')
  expect(await db.games.countDocuments()).toBe(taken.length)

  const end = await db.imports.findOne({ _id: 'end' })
  expect(end?.batches).toBe((await countBatches()) - 1)
  const { stdout } = await runCommand('import-command', ['--write'], settings)
  const rows = stdout.split('\n').flatMap((line) => /^[a-z]+ +\d+ +(\d+) +\d+ +\d+ +\d+$/.exec(line)?.[1] ?? [])
  expect(rows).toEqual(Array.from({ length: 10 }, () => '0'))
  expect(await db.imports.findOne({ _id: 'end' })).toEqual(end)

  const threads = await db.comments.find({ parentId: null }).toArray()
  for (const { _id, repliesCount } of threads) {
    expect(await db.comments.countDocuments({ parentId: _id, status: 'visible' })).toBe(repliesCount)
  }
  expect(await db.comments.countDocuments({ $expr: { $ne: ['$likesCount', { $size: '$likedBy' }] } })).toBe(0)
})

it('exit 1 in one line for arguments and addresses that cannot be used', async () => {
  const { IMPORT_URI: _, ...others } = settings
  const empty = new URL(siteUri)
  empty.pathname = '/nothing'
  const file = join(dataDir, 'uri')
  await writeFile(file, `${empty.href}\n`)
  const cases: [string[], Record<string, string>, RegExp][] = [
    [[], others, /^Usage: IMPORT_URI=/],
    [['--only', 'reviews'], settings, /^--only takes platforms, games/],
    [['--odd'], settings, /^Usage: /],
    [['http://localhost'], others, /Invalid scheme/],
    [[mongo.uri], others, /^IMPORT_URI names a database of gamehall/],
    [[], { ...others, IMPORT_URI_FILE: join(dataDir, 'none') }, /no such file/],
    [['--report', dataDir], settings, /^EISDIR/],
    [[], { ...others, IMPORT_URI_FILE: file }, /^The database nothing of IMPORT_URI is empty/],
  ]
  for (const [args, env, message] of cases) {
    const refused = await runCommand('import-command', args, env)
    expect(refused).toEqual(refusedWith(message))
    expect(refused.stderr.trim().split('\n')).toHaveLength(1)
  }
})
