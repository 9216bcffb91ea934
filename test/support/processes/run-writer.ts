import { writeSync } from 'node:fs'
import { readConfig } from '../../../lib/config.ts'
import { type BatchLimits, createBatchWriter } from '../../../lib/conflicts/writer/batch-writer.ts'
import { createDeps } from '../../../lib/create-deps.ts'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createLogger } from '../../../lib/observability/log.ts'
import { createSources } from '../../../lib/sources/sources.ts'

/** A call of the database at which a writer's process ends or stops. */
export interface FatalPoint {
  collection: 'conflicts' | 'games' | 'characters'
  method: 'updateMany' | 'updateOne' | 'findOneAndUpdate' | 'insertOne'
  /** Part of what the call is given, as JSON. */
  of?: string
  /** Counted from 1 among those calls. */
  nth: number
  when: 'before' | 'after'
  signal: 'SIGKILL' | 'SIGSTOP'
}

export interface WriterProgram {
  uri: string
  limits: Partial<BatchLimits>
  point?: FatalPoint
}

// A process that runs the background writer as its one argument says. It prints `applied <json>` for each batch and
// `point` when it has come to its point; SIGTERM stops it.
const { uri, limits, point }: WriterProgram = JSON.parse(process.argv[2] ?? '')
const say = (line: string) => writeSync(1, `${line}\n`)

function comeToPoint(signal: FatalPoint['signal']): void {
  say('point')
  process.kill(process.pid, signal)
}

function watchCalls<T extends object>(target: T, { method, of = '', nth, when, signal }: FatalPoint): T {
  let calls = 0
  return new Proxy(target, {
    get(real, key) {
      const value: unknown = Reflect.get(real, key)
      if (typeof value !== 'function') return value
      if (key !== method) return value.bind(real)
      return async (...args: unknown[]) => {
        if (JSON.stringify(args).includes(of)) calls += 1
        const isThere = calls === nth && JSON.stringify(args).includes(of)
        if (isThere && when === 'before') comeToPoint(signal)
        const result: unknown = await value.apply(real, args)
        if (isThere && when === 'after') comeToPoint(signal)
        return result
      }
    },
  })
}

const config = readConfig({ ...process.env, PORT: '0' })
const log = createLogger('silent')
const db = openDatabase(uri)
const deps = createDeps({
  ...{ config, log, jwtSecret: 'a secret of at least thirty-two characters' },
  db: point === undefined ? db : { ...db, [point.collection]: watchCalls(db[point.collection], point) },
  sources: createSources({ config, log, limits: { requests: 10_000, withinMs: 1_000, open: 8 } }),
})
const conflicts = { ...deps.emit.conflicts, applied: (event: object) => void say(`applied ${JSON.stringify(event)}`) }
const writer = createBatchWriter({ ...deps, emit: { ...deps.emit, conflicts } }, limits)
process.once('SIGTERM', async () => {
  await writer.stop()
  process.exit(0)
})
writer.start()
say('started')
