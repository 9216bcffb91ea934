import { areDemoUsersAllowed } from '../auth/demo-users.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { createLogger } from '../observability/log.ts'
import { createStorage } from '../storage/create-storage.ts'
import { fillActivity } from './fill-activity.ts'
import { fillCharacters } from './fill-characters.ts'
import { fillConflicts } from './fill-conflicts.ts'
import { fillDiscussion } from './fill-discussion.ts'
import { fillGames } from './fill-games.ts'
import { fillPictures } from './fill-pictures.ts'
import { fillPlatforms } from './fill-platforms.ts'
import { fillRequests } from './fill-requests.ts'
import { fillRoyalLists } from './fill-royal-lists.ts'
import { fillUsers } from './fill-users.ts'
import type { SeedPart } from './seed-part.ts'

/** In the order in which one needs the other. A name is never used again for something else. */
const PARTS: readonly SeedPart[] = [
  { name: 'platforms', needsDemoUsers: false, fill: fillPlatforms },
  { name: 'games', needsDemoUsers: false, fill: fillGames },
  { name: 'characters', needsDemoUsers: false, fill: fillCharacters },
  { name: 'conflicts', needsDemoUsers: false, fill: fillConflicts },
  { name: 'users', needsDemoUsers: true, fill: fillUsers },
  { name: 'discussion', needsDemoUsers: true, fill: fillDiscussion },
  { name: 'royal lists', needsDemoUsers: true, fill: fillRoyalLists },
  { name: 'requests', needsDemoUsers: true, fill: fillRequests },
  { name: 'activity', needsDemoUsers: true, fill: fillActivity },
  // A catalogue that others read must not show drawings as covers.
  { name: 'pictures', needsDemoUsers: true, fill: fillPictures },
]

interface Fill {
  db: Database
  config: Config
  /** Tells a person what was done. */
  print(line: string): void
  /** A start fills only an embedded database, and only one that is empty or was filled before. */
  isAutomatic: boolean
  parts?: readonly SeedPart[]
}

async function isEmpty({
  users,
  presets,
  games,
  characters,
  platforms,
  comments,
  conflicts,
  contentRequests,
}: Database): Promise<boolean> {
  const counts = await Promise.all(
    [users, presets, games, characters, platforms, comments, conflicts, contentRequests].map((each) =>
      each.estimatedDocumentCount(),
    ),
  )
  return counts.every((count) => count === 0)
}

/** Remembers that a part was begun. When that was first decides the times in it. */
async function begin({ seeds }: Database, name: string): Promise<Date> {
  const now = new Date()
  const part = await seeds.findOneAndUpdate(
    { _id: name },
    { $setOnInsert: { startedAt: now } },
    { upsert: true, returnDocument: 'after' },
  )
  return part?.startedAt ?? now
}

/**
 * Fills in the parts of the first data that this database has not been given yet. Each is remembered when it is
 * complete; one that was interrupted is completed.
 */
export async function fillFirstData({ db, config, print, isAutomatic, parts = PARTS }: Fill): Promise<void> {
  const begun = await db.seeds.find().toArray()
  if (isAutomatic && (config.mongodbUri !== undefined || (begun.length === 0 && !(await isEmpty(db))))) return

  const done = new Set(begun.filter(({ filledAt }) => filledAt !== undefined).map(({ _id }) => _id))
  const missing = parts.filter(({ name }) => !done.has(name))
  const areUsersAllowed = areDemoUsersAllowed(config)
  const [wanted, leftOut] = [
    missing.filter(({ needsDemoUsers }) => areUsersAllowed || !needsDemoUsers),
    missing.filter(({ needsDemoUsers }) => !areUsersAllowed && needsDemoUsers),
  ]

  const storage = createStorage(config, createLogger(config.logLevel))
  for (const { name, fill } of wanted) {
    await fill({ db, at: await begin(db, name), print, storage })
    await db.seeds.updateOne({ _id: name }, { $set: { filledAt: new Date() } })
  }
  const formatList = (list: readonly SeedPart[]) => list.map(({ name }) => name).join(', ')
  if (wanted.length > 0) print(`Filled in: ${formatList(wanted)}`)
  if (isAutomatic) return
  if (leftOut.length > 0) {
    print(`Left out: ${formatList(leftOut)}. Demo users exist only in development, while PUBLIC_URL names this machine`)
  }
  if (missing.length === 0) print('Everything was filled in before')
}
