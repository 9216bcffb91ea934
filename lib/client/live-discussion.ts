import type { Comment, CommentSort } from '../contract/comments.ts'
import type { JoinAck } from '../contract/comments-namespace.ts'
import type { COMMENTS_PAGED_MAX, COMMENTS_TAKE_MAX } from '../contract/limits.ts'
import { ApiError } from './api-error.ts'
import type { Call } from './call.ts'
import { createReads, later as defaultLater, type Later, type Reads } from './live-reads.ts'
import {
  adoptList,
  adoptReplies,
  appendList,
  applyChange,
  type Discussion,
  type DiscussionChange,
  emptyDiscussion,
  knownOf,
  type ListRead,
  mergeList,
  patchComment,
  placeOnTop,
  setThread,
} from './merge-discussion.ts'
import { onUserChange } from './on-user-change.ts'
import { readBehind, readPages } from './read-pages.ts'
import type { Answer, CallInput, RefusalStatus } from './routes.ts'
import type { Session } from './session.ts'
import type { Refusable } from './settle.ts'
import type { HallSocket } from './socket.ts'
import { createStore, type Store } from './store.ts'

export interface DiscussionState {
  status: 'loading' | 'ready' | 'failed'
  /** Whether changes arrive by themselves at present. */
  isLive: boolean
  comments: readonly Comment[]
  /** How many readable comments came since and are not shown, see `showNew`. */
  unseen: number
  hasMore: boolean
  /** The replies of the threads that are open, by the first comment's id. */
  replies: Readonly<Record<string, { comments: readonly Comment[]; hasMore: boolean }>>
  /** Why the last read failed; it is tried again. */
  error: ApiError | null
}

export interface DiscussionOptions {
  sort?: CommentSort
  /** How many comments are shown at first, and how many `more` adds. */
  take?: number
}

/** The discussion of a game, kept up to date. */
export interface LiveDiscussion extends Store<DiscussionState> {
  more(): void
  /** Shows what came since. */
  showNew(): void
  openReplies(commentId: string): void
  moreReplies(commentId: string): void
  closeReplies(commentId: string): void
  post(body: { body: string; parentId?: string | null; isSpoiler?: boolean }): Outcome<'POST /comments'>
  edit(commentId: string, body: NonNullable<CallInput<'PATCH /comments/:id'>['body']>): Outcome<'PATCH /comments/:id'>
  remove(commentId: string): Outcome<'DELETE /comments/:id'>
  setStatus(commentId: string, status: 'visible' | 'hidden'): Outcome<'PATCH /comments/:id/status'>
  like(commentId: string): Outcome<'PUT /comments/:id/like'>
  unlike(commentId: string): Outcome<'DELETE /comments/:id/like'>
  report(commentId: string): Outcome<'POST /comments/:id/report'>
  refresh(): void
  close(): void
}

type Outcome<R extends Parameters<Call>[0]> = Refusable<Answer<R>, RefusalStatus<R>>

/** The parts that a live store is made of. */
export interface LiveParts {
  call: Call
  session: Pick<Session, 'get' | 'subscribe'>
  later?: Later
}

export interface DiscussionParts extends LiveParts {
  socket: Pick<HallSocket<'/comments'>, 'id' | 'on' | 'connection'>
  /** Follows the game with this socket, however often it is asked. */
  join(): Promise<JoinAck>
  /** Whether another store follows the game with this socket, and has to hear of what this one posts. */
  isShared?(): boolean
}

const REPLIES_TAKE = 10
const PAGE_TAKE_MAX: typeof COMMENTS_TAKE_MAX = 50
const PAGED_MAX: typeof COMMENTS_PAGED_MAX = 10_000
/** A socket that does not come must not keep a reader from reading. */
const JOIN_TIMEOUT_MS = 1_000

/** Moves rows from one page to another while several pages are read. */
const isShift = ({ kind, event }: DiscussionChange) =>
  kind === 'likes' || ((kind === 'created' || kind === 'status') && event.parentId === null)

const pageOptions = { takeMax: PAGE_TAKE_MAX, pagedMax: PAGED_MAX, toKey: ({ _id }: Comment) => _id }

/** Follows a discussion: joins first, reads then, and lays over the page what happened since it was asked for. */
export function followDiscussion(
  { call, socket, session, join, isShared = () => false, later = defaultLater }: DiscussionParts,
  gameId: string,
  { sort = 'top', take = 10 }: DiscussionOptions = {},
): LiveDiscussion {
  let discussion = emptyDiscussion(sort)
  let status: DiscussionState['status'] = 'loading'
  const failures = new Map<string, ApiError>()
  let wanted = take
  let isClosed = false
  let isLive = false
  let cuts = 0
  /** Shown comments that the last read of several pages did not have. */
  let missedBefore: ReadonlySet<string> = new Set()
  const threadReads = new Map<string, Reads<'whole'>>()
  /** Changes while a request is under way; they belong over its answer. */
  const logs = new Set<DiscussionChange[]>()
  const changes = new Map<string, Promise<unknown>>()
  const store = createStore(toState())
  const lists = createReads<'whole' | 'unseen'>({ read: readList, onEnd: (failure) => end('', failure), later })

  function pick(ids: readonly string[]): Comment[] {
    return ids.flatMap((id) => discussion.rows.get(id) ?? [])
  }

  function toState(): DiscussionState {
    const { order, unseen, threads, hasMore } = discussion
    const replies = [...threads].map(([id, { ids, ...thread }]) => [id, { comments: pick(ids), ...thread }] as const)
    return {
      status,
      isLive,
      comments: pick(order),
      unseen: [...unseen.values()].filter(Boolean).length,
      hasMore,
      replies: Object.fromEntries(replies),
      error: [...failures.values()].at(-1) ?? null,
    }
  }

  function show(next: Discussion = discussion) {
    discussion = next
    if (!isClosed) store.set(toState())
  }

  /** `of` is a thread, or empty for the list. */
  function end(of: string, failure: ApiError | null) {
    if (failure === null) failures.delete(of)
    else failures.set(of, failure)
    if (status === 'loading') status = 'failed'
    show()
  }

  function apply(base: Discussion, changes: readonly DiscussionChange[]): Discussion {
    let result = base
    for (const change of changes) {
      const applied = applyChange(result, change)
      result = applied.discussion
      const { list, thread } = applied.gaps
      if (list) lists.ask('whole')
      if (thread) threadReads.get(thread.id)?.ask(thread.isWhole ? 'whole' : undefined)
    }
    return result
  }

  function note(change: DiscussionChange) {
    for (const log of logs) log.push(change)
    show(apply(discussion, [change]))
  }

  async function logged<T>(request: () => Promise<T>): Promise<{ answer: T; since: readonly DiscussionChange[] }> {
    const since: DiscussionChange[] = []
    logs.add(since)
    try {
      return { answer: await request(), since }
    } finally {
      logs.delete(since)
    }
  }

  const listPage = (signal: AbortSignal) => (page: number, count: number) =>
    call('GET /games/:gameId/comments', { params: { gameId }, query: { sort, page, take: count }, signal })

  /** Reads the page behind what is shown. Answers whether nothing else is missing. */
  async function readMore(signal: AbortSignal): Promise<boolean> {
    const { order } = discussion
    const count = wanted - order.length
    if (count <= 0) return true
    const known = knownOf(discussion)
    const isAnchor = sort === 'new' ? ({ _id }: Comment) => _id === order.at(-1) : known.has
    const { answer, since } = await logged(() =>
      readBehind(listPage(signal), { ...pageOptions, known: known.count, count, isKnown: known.has, isAnchor }),
    )
    if (signal.aborted) return true
    if (answer === undefined) return false
    const next = appendList(discussion, answer)
    show(apply(next, since))
    return !(answer.isEnd && next.hasMore)
  }

  async function readList(signal: AbortSignal, wishes: ReadonlySet<'whole' | 'unseen'>): Promise<void> {
    const isAdopted = wishes.has('unseen') || status !== 'ready'
    const isWhole = isAdopted || wishes.has('whole') || discussion.order.length === 0
    if (!isWhole && (await readMore(signal))) return
    const shown = isAdopted ? [] : [...discussion.order, ...discussion.unseen.keys()]
    const size = Math.max(wanted, discussion.order.length) + discussion.unseen.size
    const { answer, since } = await logged(() => readPages(listPage(signal), { ...pageOptions, size, needed: shown }))
    const news = isAdopted && sort === 'top' ? await readNews(answer.rows, signal) : { missed: [], since: [] }
    if (signal.aborted) return

    const next = isAdopted ? adoptList(discussion, answer) : keep(answer)
    status = 'ready'
    show(apply(news.missed.reduce(placeOnTop, next), [...since, ...news.since]))
    if (answer.pages > 1 && since.some(isShift)) lists.ask('whole')
  }

  function keep(answer: ListRead & { pages: number }): Discussion {
    const found = new Set(answer.rows.map(({ _id }) => _id))
    const missed = answer.pages > 1 ? discussion.order.filter((id) => !found.has(id)) : []
    const missable = new Set(missed.filter((id) => !missedBefore.has(id)))
    missedBefore = missable
    if (missable.size > 0) lists.ask('whole')
    return mergeList(discussion, answer, { wanted, missable })
  }

  /** New comments may stand far below the page, and are shown at its top when asked for. */
  async function readNews(comments: readonly Comment[], signal: AbortSignal) {
    const listed = new Set(comments.map(({ _id }) => _id))
    const ids = new Set([...discussion.unseen.keys()].filter((id) => !listed.has(id)))
    if (ids.size === 0) return { missed: [], since: [] }
    const { answer, since } = await logged(() =>
      call('GET /games/:gameId/comments', {
        params: { gameId },
        query: { sort: 'new', take: Math.min(PAGE_TAKE_MAX, ids.size + take) },
        signal,
      }),
    )
    return { missed: answer.results.filter(({ _id }) => ids.has(_id)).toReversed(), since }
  }

  async function readThread(parentId: string, signal: AbortSignal, isWhole: boolean): Promise<void> {
    const { ids = [], hasMore = false, wanted: asked = 0 } = discussion.threads.get(parentId) ?? {}
    // A thread that is shown to its end stays so when it grows.
    const size = hasMore || ids.length === 0 ? Math.max(asked, ids.length) : Math.max(asked, ids.length + REPLIES_TAKE)
    const readPage = (page: number, count: number) =>
      call('GET /comments/:id/replies', { params: { id: parentId }, query: { page, take: count }, signal })
    const known = new Set(ids)

    if (!isWhole && ids.length > 0) {
      if (size === ids.length) return
      const { answer, since } = await logged(() =>
        readBehind(readPage, {
          ...pageOptions,
          known: ids.length,
          count: size - ids.length,
          isKnown: ({ _id }) => known.has(_id),
          isAnchor: ({ _id }) => _id === ids.at(-1),
        }),
      )
      if (signal.aborted) return
      const shown = discussion.threads.get(parentId)?.ids ?? []
      const rows = [...pick(shown), ...(answer?.rows ?? [])]
      if (answer && !(answer.isEnd && answer.total > rows.length)) {
        return show(apply(adoptReplies(discussion, parentId, { rows, total: answer.total }), since))
      }
    }
    const { answer, since } = await logged(() => readPages(readPage, { ...pageOptions, size }))
    if (signal.aborted) return
    show(apply(adoptReplies(discussion, parentId, answer), since))
    if (answer.pages > 1 && since.some(({ kind }) => kind === 'created' || kind === 'status')) {
      threadReads.get(parentId)?.ask('whole')
    }
  }

  function wantReplies(parentId: string, count: number) {
    show(setThread(discussion, parentId, count))
    const reads =
      threadReads.get(parentId) ??
      createReads<'whole'>({
        read: (signal, wishes) => readThread(parentId, signal, wishes.has('whole')),
        onEnd: (failure) => end(parentId, failure),
        later,
      })
    threadReads.set(parentId, reads)
    reads.ask()
  }

  function readAgain() {
    lists.restart('whole')
    for (const reads of threadReads.values()) reads.restart('whole')
  }

  const cancelWait = later(() => {
    if (!isLive) lists.ask()
  }, JOIN_TIMEOUT_MS)
  async function onConnection() {
    const { status: connection } = socket.connection.get()
    if (connection === 'live') {
      const ack = await join().catch(() => ({ ok: false }))
      if (isClosed || socket.connection.get().status !== 'live') return
      isLive = ack.ok
      show()
      readAgain()
    } else if (isLive) {
      isLive = false
      cuts += 1
      show()
    }
  }

  /** A change whose answer was lost may have been made. */
  function readAfterLoss(failure: unknown): never {
    if (failure instanceof ApiError && (failure.status === 0 || failure.status >= 500)) readAgain()
    throw failure
  }

  /** Events bring what changed, in the order of the writes; without a socket only another read does. */
  async function change<T>(
    commentId: string,
    request: () => Promise<T>,
    toFlags: (answer: T) => { isLiked?: boolean; isReported?: boolean },
  ): Promise<T> {
    // One after another, or the answer to a like could overtake that to taking it back.
    const answering = (changes.get(commentId) ?? Promise.resolve()).then(request, request)
    changes.set(commentId, answering)
    try {
      const answer = await answering.catch(readAfterLoss)
      note({ kind: 'flags', event: { commentId, ...toFlags(answer) } })
      if (!isLive) readAgain()
      return answer
    } finally {
      if (changes.get(commentId) === answering) changes.delete(commentId)
    }
  }

  const toVote = ({ isActive }: { isActive: boolean }) => ({ isLiked: isActive })
  const toFlags = ({ isLiked, isReported }: Comment) => ({ isLiked, isReported })

  async function post(input: Parameters<LiveDiscussion['post']>[0]): Promise<Comment> {
    const isReply = input.parentId != null
    // The event of a reply is wanted: it carries the count of the thread in the order of the writes.
    const isEventWanted = isReply || isShared()
    const headers: Record<string, string> = isEventWanted || socket.id === undefined ? {} : { 'x-socket-id': socket.id }
    const wasLive = isLive
    const cutsBefore = cuts
    const { answer, since } = await logged(() => call('POST /comments', { body: { ...input, gameId }, headers })).catch(
      readAfterLoss,
    )
    const comment = since.reduce(patchComment, answer)
    if (!isReply) note({ kind: 'posted', event: { commentId: comment._id, comment } })
    const last = since.findLast(({ kind, event }) => kind === 'status' && event.commentId === comment._id)
    if (!isReply && last) note(last)
    // No event tells of changes while nobody listened.
    if (!wasLive || !isLive || cuts > cutsBefore) readAgain()
    return answer
  }

  const ends = [
    socket.on('comment:created', (event) => hear({ kind: 'created', event })),
    socket.on('comment:updated', (event) => hear({ kind: 'updated', event })),
    socket.on('comment:status', (event) => hear({ kind: 'status', event })),
    socket.on('comment:likes', (event) => hear({ kind: 'likes', event })),
    socket.connection.subscribe(() => void onConnection()),
    onUserChange(session, readAgain),
    cancelWait,
  ]
  function hear(change: DiscussionChange & { event: { gameId: string } }) {
    if (change.event.gameId === gameId) note(change)
  }
  void onConnection()

  return {
    get: store.get,
    subscribe: store.subscribe,
    more() {
      wanted = discussion.order.length + take
      lists.ask()
    },
    showNew: () => lists.ask('unseen'),
    openReplies: (commentId) => wantReplies(commentId, REPLIES_TAKE),
    moreReplies: (commentId) =>
      wantReplies(commentId, (discussion.threads.get(commentId)?.ids.length ?? 0) + REPLIES_TAKE),
    closeReplies(commentId) {
      threadReads.get(commentId)?.close()
      threadReads.delete(commentId)
      failures.delete(commentId)
      show(setThread(discussion, commentId, null))
    },
    post,
    edit: (id, body) => change(id, () => call('PATCH /comments/:id', { params: { id }, body }), toFlags),
    remove: (id) => change(id, () => call('DELETE /comments/:id', { params: { id } }), toFlags),
    setStatus: (id, next) =>
      change(id, () => call('PATCH /comments/:id/status', { params: { id }, body: { status: next } }), toFlags),
    like: (id) => change(id, () => call('PUT /comments/:id/like', { params: { id } }), toVote),
    unlike: (id) => change(id, () => call('DELETE /comments/:id/like', { params: { id } }), toVote),
    report: (id) =>
      change(
        id,
        () => call('POST /comments/:id/report', { params: { id } }),
        (answer) => answer,
      ),
    refresh: readAgain,
    close() {
      isClosed = true
      for (const end of ends) end()
      for (const reads of [lists, ...threadReads.values()]) reads.close()
    },
  }
}
