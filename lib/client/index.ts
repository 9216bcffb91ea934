/**
 * The client of the service, for browsers and for Node.
 *
 * ```ts
 * import { createClient, settle, toCursor } from 'gamehall/client'
 *
 * const hall = createClient({ baseUrl: 'https://play.example' })
 *
 * // Endpoints by method and path. Parameters, query, body and answer are typed by the service's own files.
 * const { results } = await hall.call('GET /games/:gameId/comments', { params: { gameId }, query: { sort: 'new', take: 20 } })
 * const [last] = results.slice(-1) // `query: { sort: 'new', after: toCursor(last) }` reads the rows behind it
 *
 * // A refusal is thrown as `ApiError`, or settled: `error.status` is one of those that this endpoint declares, or 0 when
 * // the service could not be reached. `error.body` is the whole answer, with the `duplicates` of a 409.
 * const liked = await settle(hall.call('PUT /comments/:id/like', { params: { id } }))
 * if (!liked.ok && liked.error.status === 429) wait(liked.error.retryAfter)
 * // `error.mayHaveArrived`: the answer was lost, so the change may have been made. Look for it before you send it again.
 *
 * // The session: `unknown` until loaded, then `signed-in`, `signed-out`, or `ended` when the service no longer accepts it.
 * if (hall.session.mayExist()) await hall.session.load()
 * hall.session.subscribe(() => show(hall.session.get().status))
 * await hall.call('POST /auth/login', { body: { email, password } })
 *
 * // A program has a service key instead of a session, for the endpoints of its scopes.
 * const parser = createClient({ baseUrl: 'https://play.example', key: 'ghk_…' })
 *
 * // Sockets, typed by the contract's events; `connection` has their status and the time of the last message.
 * const socket = hall.socket('/comments')
 * socket.on('comment:likes', ({ commentId, likesCount }) => {})
 * await socket.request('discussion:join', { gameId })
 * socket.connection.get() // { status: 'live', lastMessageAt }
 * socket.close()
 *
 * // Live stores, with `get()` and `subscribe()` for any view library; each is closed when its view goes.
 * const discussion = hall.discussion(gameId, { sort: 'top', take: 20 }) // get(): { comments, unseen, hasMore, replies, … }
 * discussion.showNew(); discussion.more(); discussion.openReplies(id)
 * const thread = hall.discussion(gameId, { around: comment }) // the thread of one comment, which `replies` has in its midst
 * await settle(discussion.like(id)) // and post, edit, remove, setStatus, report
 * const royal = hall.royal() // get(): { games, isLive, isSaving, … }
 * const { ok } = await royal.move(gameId, before) // shown at once; the answer names what was rejected
 * const notifications = hall.notifications() // get(): { rows, unreadCount, hasMore, … }
 * await notifications.markAllRead()
 * const conflicts = hall.conflicts('igdb', { state: 'waiting' }) // get(): { summary, rows, item, decidedMeanwhile, … }
 * conflicts.open({ source, externalId })
 * ```
 */
export { ApiError, type Refusable, type Settled, settle } from './api-error.ts'
export { type CookieJar, createCookieJar } from './cookie-jar.ts'
export { type ClientOptions, createClient, type Hall } from './create-client.ts'
export { toCursor } from './discussion-reads.ts'
export type { ConflictsFilter, ConflictsState, LiveConflicts } from './live-conflicts.ts'
export type { DiscussionState, LiveDiscussion } from './live-discussion.ts'
export type { LiveNotifications, NotificationsState } from './live-notifications.ts'
export type { LiveRoyal, RoyalState } from './live-royal.ts'
export type { Answer, CallInput, RefusalStatus, Route } from './routes.ts'
export type { Session, SessionState } from './session.ts'
export type { ConnectionState, HallSocket, NamespacePath } from './socket.ts'
export type { Store } from './store.ts'
