import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, readEnvironment } from '../../lib/base/config.ts'
import { openDatabase, prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { startEmbeddedMongo } from '../../lib/infrastructure/embedded-mongo/embedded-mongo.ts'
import { benchBusyDiscussion } from './busy-discussion.ts'
import { benchConflicts } from './conflicts.ts'
import { benchConsole } from './console.ts'
import { benchFanOut } from './fan-out.ts'
import { benchGrowth } from './growth.ts'
import { benchInstances } from './instances.ts'
import { benchIntake } from './intake.ts'
import { benchImport } from './intake-import.ts'
import { benchKeys, benchWalkedSource } from './intake-waits.ts'
import { benchMatching } from './matching.ts'
import { benchRequests } from './requests.ts'
import { benchRest } from './rest.ts'
import { benchRoyal } from './royal.ts'
import { fillScene } from './scene.ts'
import { benchSoak } from './soak.ts'

/** Runs every bench side by side on a database of its own; arguments pick some by name. */
const dataDir = await mkdtemp(join(tmpdir(), 'gamehall-bench-'))
const say = (message: string) => console.error(message)
const mongo = await startEmbeddedMongo({ ...readConfig(readEnvironment()), dataDir, log: { info: say } })
try {
  await prepareDatabase(mongo.uri)
  const db = openDatabase(mongo.uri)
  const scene = await fillScene(db)
  const benches = {
    rest: () => benchRest(mongo.uri, scene),
    royal: () => benchRoyal(mongo.uri, db, scene),
    requests: () => benchRequests({ uri: mongo.uri, dataDir }, db),
    'fan-out': () => benchFanOut(mongo.uri),
    instances: () => benchInstances(mongo.uri, scene),
    conflicts: () => benchConflicts(mongo.uri, db),
    intake: async () => {
      await benchIntake(mongo.uri)
      await benchImport(mongo.uri)
      await benchKeys(mongo.uri)
      await benchWalkedSource(mongo.uri)
    },
    matching: () => benchMatching(mongo.uri),
    console: () => benchConsole(mongo.uri, db, scene),
    discussion: () => benchBusyDiscussion(mongo.uri, db),
    growth: () => benchGrowth(mongo.uri),
  }
  const picked = process.argv.slice(2)
  // The soak takes an hour by default, so only its name starts it: `soak`, or `soak 5` for five minutes.
  const [name, minutes] = picked
  if (name === 'soak') await benchSoak(mongo.uri, scene, minutes === undefined ? undefined : Number(minutes))
  for (const [name, bench] of Object.entries(benches)) {
    if (picked.length === 0 || picked.includes(name)) await bench()
  }
  await db.close()
} finally {
  await mongo.stop()
  await rm(dataDir, { recursive: true, force: true })
}
