import { ObjectId } from 'mongodb'
import { readConfig } from '../../../lib/config.ts'
import { createDeps } from '../../../lib/create-deps.ts'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createLogger } from '../../../lib/observability/log.ts'
import { decideRequest } from '../../../lib/requests/decide-request.ts'
import { createStrikes } from '../scenes/strikes.ts'

/**
 * A process that decides content requests, each until a named step, and is killed as soon as all are there:
 * `<approve or reject> <request id> <step> <how often it is passed before> …`. One after another, so requests whose step is inside a
 * transaction are named last.
 */
const words = process.argv.slice(2)
const config = readConfig(process.env)

async function decideUntil(
  decision: 'approve' | 'reject',
  requestId: string,
  step: string,
  after: number,
): Promise<void> {
  const { failpoint, strikeAt } = createStrikes()
  const deps = createDeps({
    config,
    jwtSecret: '',
    log: createLogger('silent'),
    db: openDatabase(config.mongodbUri ?? ''),
    failpoint,
  })
  const reached = new Promise<void>((resolve) => {
    const stall = () => {
      resolve()
      return new Promise(() => undefined)
    }
    strikeAt(step, stall, { after })
  })
  const ended = decideRequest(deps, {
    requestId,
    admin: { _id: new ObjectId(), userName: 'carol', isAdmin: true },
    httpRequestId: 'r1',
    choice: { decision, fields: undefined, reason: decision === 'reject' ? 'No' : null, lockSync: false, force: false },
  }).then(() => {
    throw new Error(`the decision ended without ${step}`)
  })
  await Promise.race([reached, ended])
}

while (words.length > 0) {
  const [decision, requestId = '', step = '', after = '0'] = words.splice(0, 4)
  await decideUntil(decision === 'reject' ? 'reject' : 'approve', requestId, step, Number(after))
}
process.kill(process.pid, 'SIGKILL')
