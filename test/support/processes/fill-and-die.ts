import { readConfig } from '#lib/base/config'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { fillFirstData } from '#lib/ops/seed/fill-first-data'

// A process that fills the first data of the database of its one argument, and is killed with half of one collection written.
const { uri, collection }: { uri: string; collection: string } = JSON.parse(process.argv[2] ?? '')
const db = openDatabase(uri)

function dieHalfway<T extends object>(target: T): T {
  const killed = () => process.kill(process.pid, 'SIGKILL')

  return new Proxy(target, {
    get(real, key) {
      const value: unknown = Reflect.get(real, key)
      if (typeof value !== 'function') return value
      return key === 'insertMany'
        ? (documents: unknown[]) => value.call(real, documents.slice(0, documents.length / 2)).then(killed)
        : value.bind(real)
    },
  })
}

const dying = Object.fromEntries(
  Object.entries(db).map(([name, part]) => [name, name === collection ? dieHalfway(part) : part]),
)
// The same keys with the same types, one of them behind a proxy.
const database = dying as unknown as typeof db
await fillFirstData({
  db: database,
  config: readConfig({ DATA_DIR: process.env.DATA_DIR }),
  print: () => undefined,
  isAutomatic: true,
})
process.exit(0)
