import { ObjectId } from 'mongodb'
import { readConfig } from '../../../lib/config.ts'
import { createDeps } from '../../../lib/create-deps.ts'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createLogger } from '../../../lib/observability/log.ts'
import { decideRequest } from '../../../lib/requests/decide-request.ts'
import { STEPS, type StepName, strikeAt } from '../scenes/approval-steps.ts'

/**
 * A process that approves content requests, each until a step, and is killed as soon as all are there:
 * `<request id> <step> <request id> <step> …`. One after another, so those that hold a transaction are named last.
 */
const words = process.argv.slice(2)
const config = readConfig(process.env)
const isStep = (name: string | undefined): name is StepName => name !== undefined && name in STEPS

async function approveUntil(requestId: string, step: StepName): Promise<void> {
  const deps = createDeps({
    config,
    jwtSecret: '',
    log: createLogger('silent'),
    db: openDatabase(config.mongodbUri ?? ''),
  })
  const reached = new Promise<void>((resolve) => {
    strikeAt(deps, step, () => {
      resolve()
      return new Promise(() => undefined)
    })
  })
  const ended = decideRequest(deps, {
    requestId,
    admin: { _id: new ObjectId(), userName: 'carol', isAdmin: true },
    choice: { decision: 'approve', fields: undefined, reason: null, lockSync: false, force: false },
  }).then(() => {
    throw new Error(`the approval ended without ${step}`)
  })
  await Promise.race([reached, ended])
}

while (words.length > 0) {
  const [requestId = '', step] = words.splice(0, 2)
  if (!isStep(step)) throw new Error(`an approval has no step ${step}`)
  await approveUntil(requestId, step)
}
process.kill(process.pid, 'SIGKILL')
