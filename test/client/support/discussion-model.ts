import { ApiError } from '#lib/client/api-error'
import type { Comment, CommentSort } from '#lib/contract/comments'
import type { World } from './world.ts'

export interface Row {
  _id: string
  userId: string
  parentId: string | null
  replyToId: string | null
  body: string
  isSpoiler: boolean
  likedBy: Set<string>
  reportedBy: Set<string>
  repliesCount: number
  status: Comment['status']
  isHeld: boolean
  isUnshown: boolean
  createdAt: string
  updatedAt: string
}

export const GAME = 'a'.repeat(24)
export const ME = 'b'.repeat(24)
export const OTHERS = ['c'.repeat(24), 'd'.repeat(24)]

export type Viewer = 'guest' | 'user' | 'admin'

/** The service's discussion of one game: each change is written, then announced, one after another within a thread. */
export class DiscussionModel {
  private readonly world: World
  readonly viewer: Viewer
  readonly rows = new Map<string, Row>()
  /** Written and not announced yet, by thread. */
  private readonly outbox = new Map<string, { event: string; payload: unknown; isForAll: boolean }>()
  isJoined = false
  /** True while the viewer's comments wait for a moderator. */
  isHolding = false
  private clock = 0

  constructor(world: World, viewer: Viewer) {
    this.world = world
    this.viewer = viewer
  }

  private now() {
    this.clock += 1
    return new Date(1_700_000_000_000 + this.clock).toISOString()
  }

  private isReadable = ({ status, isHeld }: Row) =>
    status === 'visible' || (status === 'hidden' && (this.viewer === 'admin' || isHeld))

  private announce(thread: string, event: string, payload: object, isForAll = true) {
    this.outbox.set(thread, { event, payload: { gameId: GAME, ...payload }, isForAll })
  }

  private emit(thread: string) {
    const sent = this.outbox.get(thread)
    this.outbox.delete(thread)
    if (sent && this.isJoined && sent.isForAll) this.world.emit(sent.event, sent.payload)
  }

  /** Announcements that may leave next. */
  announcements = () => [...this.outbox.keys()].map((thread) => () => this.emit(thread))

  private threadOf = (row: Row) => row.parentId ?? row._id
  isFree = (row: Row) => !this.outbox.has(this.threadOf(row))

  private row(id: string): Row {
    const row = this.rows.get(id)
    if (row === undefined) throw new ApiError(404, 'Comment not found')
    // A change of the thread that is under way is announced before this one.
    this.emit(this.threadOf(row))
    return row
  }

  create(userId: string, { parentId = null, isForAll = true }: { parentId?: string | null; isForAll?: boolean } = {}) {
    const answered = parentId === null ? undefined : this.row(parentId)
    if (answered && answered.status !== 'visible') throw new ApiError(400, 'This comment cannot be answered')
    const _id = (this.rows.size + 1).toString(16).padStart(24, '0')
    const thread = answered && this.rows.get(answered.parentId ?? answered._id)
    const createdAt = this.now()
    const isHeld = this.isHolding && userId === ME
    const row: Row = {
      _id,
      userId,
      parentId: thread?._id ?? null,
      replyToId: answered?._id ?? null,
      createdAt,
      updatedAt: createdAt,
      body: `body of ${_id}`,
      isSpoiler: false,
      repliesCount: 0,
      status: isHeld ? 'hidden' : 'visible',
      isHeld,
      isUnshown: isHeld,
      likedBy: new Set(),
      reportedBy: new Set(),
    }
    this.rows.set(_id, row)
    if (isHeld) return row
    if (thread) thread.repliesCount += 1
    const parent = { parentId: row.parentId, parentRepliesCount: thread?.repliesCount ?? null }
    this.announce(this.threadOf(row), 'comment:created', { commentId: _id, ...parent }, isForAll)
    return row
  }

  like(id: string, userId: string, isActive: boolean) {
    const row = this.row(id)
    if (row.status !== 'visible') throw new ApiError(404, 'Comment not found')
    if (row.userId === userId) throw new ApiError(400, 'own')
    if (row.likedBy.has(userId) !== isActive) {
      if (isActive) row.likedBy.add(userId)
      else row.likedBy.delete(userId)
      this.announce(this.threadOf(row), 'comment:likes', { commentId: id, likesCount: row.likedBy.size })
    }
    return { count: row.likedBy.size, isActive }
  }

  edit(id: string) {
    const row = this.row(id)
    if (row.status !== 'visible' && !row.isHeld) throw new ApiError(403, 'not visible')
    row.body = `${row.body}!`
    row.updatedAt = this.now()
    if (row.isHeld) return row
    if (this.isHolding && row.userId === ME) {
      this.setStatus(id, 'hidden')
      row.isHeld = true
      return row
    }
    const { body, isSpoiler, updatedAt } = row
    this.announce(this.threadOf(row), 'comment:updated', { commentId: id, body, isSpoiler, updatedAt })
    return row
  }

  setStatus(id: string, status: Row['status']) {
    const row = this.row(id)
    if (row.status === 'deleted') throw new ApiError(404, 'Comment not found')
    if (row.status === status) return row
    const by = Number(status === 'visible') - Number(row.status === 'visible')
    row.status = status
    row.isHeld = false
    if (status === 'deleted') row.body = ''
    const parent = row.parentId === null ? undefined : this.rows.get(row.parentId)
    if (parent) parent.repliesCount += by
    if (row.isUnshown && status === 'deleted') return row
    row.isUnshown = false
    this.announce(this.threadOf(row), 'comment:status', {
      commentId: id,
      parentId: row.parentId,
      status,
      parentRepliesCount: parent && by !== 0 ? parent.repliesCount : null,
    })
    return row
  }

  /** A request of the viewer is announced before it is answered. */
  change<T>(work: () => T): T {
    const answer = work()
    for (const emit of this.announcements()) emit()
    return answer
  }

  toWire = (row: Row): Comment => {
    const name = (id: string) => ({ _id: id, userName: `user ${id[0]}` })
    const canRead = this.isReadable(row)
    const answered = row.replyToId === null ? undefined : this.rows.get(row.replyToId)
    const { _id, parentId, replyToId, isSpoiler, repliesCount, status, createdAt, updatedAt } = row
    return {
      _id,
      gameId: GAME,
      parentId,
      replyToId,
      isSpoiler,
      repliesCount,
      status,
      ...(canRead && row.isHeld && { isHeld: true as const }),
      createdAt,
      updatedAt,
      userId: canRead ? row.userId : '',
      body: canRead ? row.body : '',
      likesCount: row.likedBy.size,
      ...(this.viewer === 'admin' && { reportsCount: 0 }),
      replyTo: answered
        ? { _id: answered._id, author: this.isReadable(answered) ? name(answered.userId) : null }
        : null,
      author: canRead ? name(row.userId) : null,
      isLiked: this.viewer !== 'guest' && row.likedBy.has(ME),
      isReported: this.viewer !== 'guest' && row.reportedBy.has(ME),
      reviewId: null,
      review: null,
      authorPlaythrough: null,
    }
  }

  listRows(sort: CommentSort): Row[] {
    const newer = (a: Row, b: Row) => (a.createdAt < b.createdAt ? 1 : -1)
    return [...this.rows.values()]
      .filter((row) => row.parentId === null && this.isListed(row))
      .sort((a, b) => (sort === 'top' && b.likedBy.size - a.likedBy.size) || newer(a, b))
  }

  private isListed = (row: Row) => this.isReadable(row) || row.repliesCount > 0

  readListed(id: string): Row {
    const row = this.rows.get(id)
    if (row === undefined || !this.isListed(row)) throw new ApiError(404, 'Comment not found')
    return row
  }

  list = (sort: CommentSort): Comment[] => this.listRows(sort).map(this.toWire)

  listReplies = (id: string): Row[] =>
    [...this.rows.values()].filter((row) => row.parentId === id && this.isReadable(row))

  replies = (id: string): Comment[] => this.listReplies(id).map(this.toWire)
}
