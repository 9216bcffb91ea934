import { ObjectId } from 'mongodb'
import { readConfig } from '#lib/base/config'
import { createDeps } from '#lib/create-deps'
import type { Deps } from '#lib/deps'
import { eraseAccount } from '#lib/domain/accounts/erase-account'
import { refreshSession } from '#lib/domain/auth/sessions/refresh-session'
import { deleteComment, setStatus } from '#lib/domain/comments/change-status'
import { createComment } from '#lib/domain/comments/create-comment'
import { editComment } from '#lib/domain/comments/edit-comment'
import { reportComment } from '#lib/domain/comments/report-comment'
import { setLike } from '#lib/domain/comments/set-like'
import { addCandidate } from '#lib/domain/conflicts/add-candidate'
import { decideConflict } from '#lib/domain/conflicts/decide-conflict'
import { reopenConflict } from '#lib/domain/conflicts/reopen-conflict'
import { approve } from '#lib/domain/requests/approval/approve'
import { rejectRequest } from '#lib/domain/requests/reject-request'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createStrikes } from '../scenes/strikes.ts'

/** A change of the process: one of the verbs below. */
export interface FatalChange {
  verb: string
  /** The id of a comment, an entry of VNDB or a content request; a refresh token. */
  id: string
  gameId?: string
  userId?: string
  /** The step at which the process is killed. */
  step: string
  /** How often the change passes the step before. */
  after?: number
}

type Change = Required<Pick<FatalChange, 'id' | 'gameId'>> & {
  user: { _id: ObjectId; userName: string; isAdmin: boolean }
}

const toConflict = ({ id }: Change) => ({ source: 'vndb', externalId: id }) as const
const ALL = { decision: 'approve', fields: undefined, reason: null, lockSync: false, force: false } as const

const VERBS: Record<string, (deps: Deps, change: Change) => Promise<unknown>> = {
  like: (deps, { id, user }) => setLike(deps, { user }, { commentId: id, isActive: true }),
  edit: (deps, { id, user }) => editComment(deps, { user }, { commentId: id, body: 'edited' }),
  report: (deps, { id, user }) => reportComment(deps, { user }, { commentId: id, reason: 'spam' }),
  hide: (deps, { id, user }) => setStatus(deps, { user }, { commentId: id, status: 'hidden' }),
  show: (deps, { id, user }) => setStatus(deps, { user }, { commentId: id, status: 'visible' }),
  delete: (deps, { id, user }) => deleteComment(deps, { user }, { commentId: id }),
  reply: (deps, { id, gameId, user }) =>
    createComment(deps, { user }, { gameId, parentId: id, body: 'a reply', isSpoiler: false }),
  decide: (deps, change) => decideConflict(deps, change, { ...toConflict(change), choice: { gameId: change.gameId } }),
  reopen: (deps, change) => reopenConflict(deps, change, toConflict(change)),
  add: (deps, change) => addCandidate(deps, change, { ...toConflict(change), gameId: change.gameId }),
  approve: (deps, { id, user }) => approve(deps, { user }, { requestId: id, choice: ALL, httpRequestId: 'r1' }),
  reject: (deps, { id, user }) => rejectRequest(deps, { user }, { requestId: id, reason: 'No' }),
  erase: (deps, { id }) => eraseAccount(deps, new ObjectId(id), AbortSignal.any([])),
  'run-erasure': async (deps) => {
    deps.accountErasure.start()
    await new Promise(() => undefined)
  },
  'run-acts': async (deps) => {
    deps.commentActs.start()
    await new Promise(() => undefined)
  },
  reuse: (deps, { id }) =>
    refreshSession(deps, { refreshTokens: [id], address: '::1', userAgent: undefined, whenEnded: () => {} }),
}

const config = readConfig(process.env)
const parts = { config, jwtSecret: '', log: createLogger('silent'), db: openDatabase(config.mongodbUri ?? '') }

async function changeUntilStep({ verb, step, after = 0, id, gameId = '', userId }: FatalChange): Promise<void> {
  const { failpoint, strikeAt } = createStrikes()
  const reached = new Promise<void>((resolve) => {
    const stall = () => {
      resolve()
      return new Promise(() => undefined)
    }
    strikeAt(step, stall, { after })
  })
  const user = {
    _id: new ObjectId(userId),
    userName: 'somebody',
    isAdmin: !['like', 'edit', 'reply', 'report'].includes(verb),
  }
  const ended = VERBS[verb]?.(createDeps({ ...parts, failpoint }), { id, gameId, user }).then(() => {
    throw new Error(`${verb} ended without ${step}`)
  })
  await Promise.race([reached, ended])
}

// This process begins changes one after another, each until its step, and is killed when all are there. A change that would
// wait for the locks of another's transaction comes before that one.
const changes: FatalChange[] = JSON.parse(process.argv[2] ?? '[]')
for (const change of changes) await changeUntilStep(change)
process.kill(process.pid, 'SIGKILL')
