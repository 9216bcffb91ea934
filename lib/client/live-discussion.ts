import type { Comment, CommentSort } from '../contract/comments.ts'
import { TAKE_MAX } from '../contract/limits.ts'
import type { CommentsServerEvents } from '../contract/namespaces/comments.ts'
import { createLive, type LiveFacts, type LiveParts, type LiveStatus } from './create-live.ts'
import { createCommands, type Peer } from './discussion-commands.ts'
import { type Around, createDiscussionReads, isInThread, isShift, readPages } from './discussion-reads.ts'
import {
  adoptRead,
  appendRead,
  applyChange,
  countVisible,
  type Discussion,
  dropList,
  emptyDiscussion,
  findLocal,
  getList,
  LIST,
  mergeRead,
  placeOnTop,
  setWanted,
} from './merge-discussion.ts'
import { createChangeLog, type DiscussionChange } from './patch-comment.ts'
import { onUserChange } from './session.ts'
import type { HallSocket } from './socket.ts'

export interface DiscussionState extends LiveFacts {
  isLive: boolean
  comments: readonly Comment[]
  /** Number of newer readable comments that are not shown; `showNew` shows them. */
  unseen: number
  hasMore: boolean
  /** The replies of open threads, by the id of the first comment. */
  replies: Readonly<Record<string, { comments: readonly Comment[]; hasMore: boolean }>>
}

export interface DiscussionOptions {
  sort?: CommentSort
  /** Number of comments that are shown at first and that `more` adds. */
  take?: number
  /** Follows the thread of this comment alone: its first comment, and `replies` around the comment. */
  around?: Around
}

export type LiveDiscussion = ReturnType<typeof followDiscussion>

export interface DiscussionParts extends LiveParts<'/comments'> {
  socket: Pick<HallSocket<'/comments'>, 'id' | 'on' | 'connection' | 'request' | 'send' | 'close'>
  /** The stores that share this socket for the game and receive each other's changes. */
  peers?: Set<Peer>
}

const REPLIES_TAKE = 10
/** A comment with three neighbours on each side. */
const AROUND_TAKE = 7
/** Time to wait for the socket before reading without it. */
const JOIN_TIMEOUT_MS = 1_000

/** Follows a discussion: joins, reads, then applies the changes that arrived since the request. */
export function followDiscussion(
  { call, socket, session, peers = new Set(), later }: DiscussionParts,
  gameId: string,
  { sort = 'top', take = 10, around }: DiscussionOptions = {},
) {
  const threadId = around && (around.parentId ?? around._id)
  const empty = emptyDiscussion(sort, take)
  let discussion = threadId === undefined ? empty : setWanted(empty, threadId, AROUND_TAKE)
  let isLive = false
  let liveChanges = 0
  const log = createChangeLog()
  const { readPage, readNewest, readThread } = createDiscussionReads(call, gameId, sort)
  const live = createLive<DiscussionState, 'whole' | 'unseen'>({ socket, later, toState, read })

  function toState(facts: LiveFacts): DiscussionState {
    const lists = [...discussion.lists].map(([key, { comments, hasMore }]) => [key, { comments, hasMore }] as const)
    const { [LIST]: list = { comments: [], hasMore: false }, ...replies } = Object.fromEntries(lists)
    return { ...facts, isLive, ...list, unseen: countVisible(discussion.unseen), replies }
  }

  /** A single thread has one read for its first comment and its replies. */
  const readsOf = (key: string) => live.reads(around ? LIST : key)

  function show(next: Discussion = discussion, status?: LiveStatus) {
    discussion = next
    live.show(status)
  }

  function apply(base: Discussion, changes: readonly DiscussionChange[]): Discussion {
    let result = base
    for (const change of changes) {
      const applied = applyChange(result, change)
      result = applied.discussion
      for (const { key, isWhole } of applied.outdated)
        if (result.lists.has(key)) readsOf(key).request(isWhole ? 'whole' : undefined)
    }
    return result
  }

  function receive(change: DiscussionChange) {
    if (threadId !== undefined && !isInThread(threadId, change)) return
    log.push(change)
    show(apply(discussion, [change]))
  }

  function countWanted(key: string): number {
    const { comments, hasMore, wanted } = getList(discussion, key)
    // A thread that is shown completely stays complete when it grows.
    const growth = key === LIST || hasMore || comments.length === 0 ? 0 : REPLIES_TAKE
    return Math.max(wanted, comments.length + growth)
  }

  /** New comments may stand among the rows that are read. */
  const countUnseen = (key: string) => (key === LIST ? discussion.unseen.size : 0)

  /** Reads the rows behind the last row read. Answers false when the list ends there although it should have more. */
  async function readMore(key: string, signal: AbortSignal): Promise<boolean> {
    const { comments, last } = getList(discussion, key)
    const count = countWanted(key) - comments.length
    if (count <= 0) return true
    const take = Math.min(TAKE_MAX, count + countUnseen(key))
    const { answer, since } = await log.during(() => readPage(key, signal)(take, last))
    if (signal.aborted) return true
    const { results: rows, total } = answer
    const next = appendRead(discussion, key, { rows, total }, count)
    show(apply(next, since))
    return rows.length === take || !getList(next, key).hasMore
  }

  /** Reads what a list lacks at its end. `whole` reads all its rows again, `unseen` also shows the new ones. */
  async function read(key: string, signal: AbortSignal, extras: ReadonlySet<'whole' | 'unseen'>): Promise<void> {
    if (around) return await readAround(around, signal)
    const isFirst = live.status() !== 'ready' && key === LIST
    const { comments, last } = getList(discussion, key)
    const isWhole = isFirst || extras.size > 0 || comments.length === 0 || last === undefined
    if (!isWhole && (await readMore(key, signal))) return
    // Another read of the top-level comments leaves the shown ones in their places.
    const isReplaced = isFirst || extras.has('unseen') || key !== LIST
    const needed = isReplaced ? [] : findLocal(discussion, key).ids
    const size = countWanted(key) + countUnseen(key)
    const { answer, since } = await log.during(() => readPages(readPage(key, signal), { size, needed }))
    const isUnseenMissing = key === LIST && isReplaced && sort === 'top'
    const newest = isUnseenMissing ? await readUnseen(answer.rows, signal) : { newer: [], since: [] }
    if (signal.aborted) return

    const found = new Set(answer.rows.map(({ _id }) => _id))
    const isLacking = !isReplaced && getList(discussion, key).comments.some(({ _id }) => !found.has(_id))
    const next = isReplaced ? adoptRead(discussion, key, answer) : mergeRead(discussion, answer)
    show(apply(newest.newer.reduce(placeOnTop, next), [...since, ...newest.since]), key === LIST ? 'ready' : undefined)
    // A row may have moved between the pages.
    const isShifted = since.some((change) => isShift(key, change)) || isLacking
    if (answer.pages > 1 && isShifted) live.reads(key).request('whole')
  }

  async function readUnseen(comments: readonly Comment[], signal: AbortSignal) {
    const listed = new Set(comments.map(({ _id }) => _id))
    const ids = new Set([...discussion.unseen.keys()].filter((id) => !listed.has(id)))
    if (ids.size === 0) return { newer: [], since: [] }
    const { answer, since } = await log.during(() => readNewest(ids, take, signal))
    return { newer: answer, since }
  }

  async function readAround(comment: Around, signal: AbortSignal): Promise<void> {
    const key = comment.parentId ?? comment._id
    const { answer, since } = await log.during(() => readThread(comment, getList(discussion, key).wanted, signal))
    if (signal.aborted) return
    const next = adoptRead(discussion, LIST, answer.first)
    show(apply(next.lists.has(key) ? adoptRead(next, key, answer.replies) : next, since), 'ready')
  }

  function want(key: string, wanted: number) {
    show(setWanted(discussion, key, wanted))
    readsOf(key).request()
  }

  function readAgain() {
    for (const reads of new Set([...discussion.lists.keys()].map(readsOf))) reads.restart('whole')
  }

  async function onConnection() {
    const isConnected = socket.connection.get().status === 'live'
    if (!isConnected && !isLive) return
    const ack = isConnected
      ? await socket.request('discussion:join', { gameId }).catch(() => ({ ok: false }))
      : { ok: false }
    if (live.isClosed() || (isConnected && socket.connection.get().status !== 'live')) return
    isLive = ack.ok
    liveChanges += 1
    show()
    if (isConnected) readAgain()
  }

  const commands = createCommands({
    call,
    gameId,
    socketId: () => (peers.size > 1 ? undefined : socket.id),
    receive,
    log,
    peers,
    connection: () => ({ isLive, changes: liveChanges }),
  })

  const self = { receive, readAgain }
  peers.add(self)
  live.onClose(
    () => {
      peers.delete(self)
      // All views of a tab share one room of the game.
      if (peers.size === 0) socket.send('discussion:leave', { gameId }, () => {})
    },
    ...Object.values({
      'comment:created': socket.on('comment:created', (event) => onEvent({ kind: 'created', event })),
      'comment:updated': socket.on('comment:updated', (event) => onEvent({ kind: 'updated', event })),
      'comment:status': socket.on('comment:status', (event) => onEvent({ kind: 'status', event })),
      'comment:likes': socket.on('comment:likes', (event) => onEvent({ kind: 'likes', event })),
    } satisfies Record<keyof CommentsServerEvents, () => void>),
    socket.connection.subscribe(() => void onConnection()),
    onUserChange(session, readAgain),
    live.later(() => (isLive ? undefined : live.reads(LIST).request()), JOIN_TIMEOUT_MS),
  )
  function onEvent(change: DiscussionChange & { event: { gameId: string } }) {
    if (change.event.gameId === gameId) receive(change)
  }
  void onConnection()

  return {
    ...live.store,
    more: () => want(LIST, getList(discussion, LIST).comments.length + take),
    showNew: () => live.reads(LIST).request('unseen'),
    openReplies: (id: string) => want(id, REPLIES_TAKE),
    moreReplies: (id: string) => want(id, getList(discussion, id).comments.length + REPLIES_TAKE),
    closeReplies(id: string) {
      live.drop(id)
      show(dropList(discussion, id))
    },
    ...commands,
    refresh: readAgain,
  }
}
