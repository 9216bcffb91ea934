import type { FindCursor, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { ExportedComment, MESSAGES } from '../../contract/index.ts'
import { EXPORT_QUERY_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { type CommentDocument, LIKED_BY, OF_AUTHOR } from '../../infrastructure/db/collections/comments.ts'
import { BY_USER_NEWEST_FIRST } from '../../infrastructure/db/collections/content-requests.ts'
import { NEWEST_FIRST } from '../../infrastructure/db/collections/notifications.ts'
import { OF_REPORTER } from '../../infrastructure/db/collections/reports.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { listSessions, type SentTokens } from '../auth/sessions/list-sessions.ts'
import { notificationsToWire } from '../notifications/to-wire.ts'
import { findNames, REQUEST_FIELDS, type RequestRow, toContentRequest } from '../requests/to-wire.ts'
import { PROFILE_FIELDS, toUserProfile } from '../users/find-user.ts'
import { listSuspensions } from '../users/list-suspensions.ts'
import { toPresets } from '../users/presets.ts'
import type { AccountsDeps } from './deps.ts'

const BOUNDS = { batchSize: 100, maxTimeMS: EXPORT_QUERY_MS }

type Vote = Pick<CommentDocument, '_id' | 'gameId'>

const toVote = ({ _id, gameId }: Vote) => ({ commentId: _id.toHexString(), gameId: gameId.toHexString() })

/** Writes a list as a member of a JSON object, a batch at a time. */
async function* writeList<D>(
  name: string,
  cursor: FindCursor<D>,
  toWire: (rows: D[]) => object[] | Promise<object[]>,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let separator = ''
  while (await cursor.hasNext()) {
    const items = await toWire(cursor.readBufferedDocuments())
    yield separator + items.map((item) => JSON.stringify(item)).join(',\n')
    separator = ',\n'
  }
  yield ']'
}

const writeValue = (name: string, value: unknown) => `,\n"${name}":${JSON.stringify(value)}`

async function findProfile({ db, storage, clock }: AccountsDeps, _id: ObjectId) {
  const projection = { ...PROFILE_FIELDS, email: 1, royalGames: 1 } as const
  const user = await db.users.findOne({ _id }, { projection })
  if (user === null) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
  return {
    profile: { ...toUserProfile({ storage, clock }, user), email: user.email },
    royalGames: user.royalGames ?? [],
  }
}

/** Writes everything that belongs to a user as one JSON object. Each list is read while it is sent. */
async function* write(
  deps: AccountsDeps,
  { viewer, tokens }: ExportInput,
  { profile, royalGames }: Awaited<ReturnType<typeof findProfile>>,
): AsyncGenerator<string> {
  const { comments, contentRequests, notifications, presets, reports } = deps.db
  const { _id: userId } = viewer
  const votes = { projection: { gameId: 1 }, ...BOUNDS }
  const written = comments.find({ userId }, { hint: OF_AUTHOR, ...BOUNDS })
  const liked = comments.find<Vote>({ likedBy: userId }, { hint: LIKED_BY, ...votes })
  const reported = reports.find({ reporterId: userId }, { hint: OF_REPORTER, ...BOUNDS })
  const requests = contentRequests.find<RequestRow>(
    { userId },
    { hint: BY_USER_NEWEST_FIRST, projection: REQUEST_FIELDS, ...BOUNDS },
  )
  const toRequests = async (rows: RequestRow[]) => {
    const names = await findNames(deps, rows)
    return rows.map((row) => toContentRequest(deps, row, names))
  }

  yield `{"profile":${JSON.stringify(profile)}`
  yield* writeList('comments', written, (rows) => rows.map((row) => toContract(ExportedComment, row)))
  yield* writeList('likes', liked, (rows) => rows.map(toVote))
  yield* writeList('reports', reported, (rows) =>
    rows.map(({ commentId, gameId, reason, note, at, outcome }) => ({ commentId, gameId, reason, note, at, outcome })),
  )
  yield writeValue('royalGames', royalGames)
  yield writeValue('presets', toPresets(userId.toHexString(), await presets.findOne({ _id: userId })).presets)
  yield* writeList('requests', requests, toRequests)
  const notified = notifications.find({ userId }, { hint: NEWEST_FIRST, ...BOUNDS })
  yield* writeList('notifications', notified, (rows) => notificationsToWire(deps, rows))
  yield writeValue('sessions', (await listSessions(deps, { viewer, tokens })).results)
  yield writeValue('suspensions', await listSuspensions(deps, userId.toHexString()))
  yield '}\n'
}

interface ExportInput {
  viewer: SessionUser
  tokens: SentTokens
}

/**
 * Begins the export of everything that belongs to the viewer: JSON in parts, at any size.
 * @throws DomainError FORBIDDEN, RATE_LIMITED after five in an hour, UNAUTHORIZED when the account was deleted meanwhile
 */
export async function exportAccount(
  deps: AccountsDeps,
  { userId, ...input }: ExportInput & { userId: string },
): Promise<AsyncGenerator<string>> {
  const { _id } = input.viewer
  if (_id.toHexString() !== userId) throw new DomainError('FORBIDDEN', MESSAGES.accountNotYours)
  await deps.authLimits.takeExport({ userId })
  return write(deps, input, await findProfile(deps, _id))
}
