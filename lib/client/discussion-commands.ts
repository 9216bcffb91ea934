import type { Comment } from '../contract/comments.ts'
import { ApiError, type Refusable } from './api-error.ts'
import type { Call } from './call.ts'
import { type ChangeLog, type DiscussionChange, patchComment } from './patch-comment.ts'
import type { Answer, CallInput, RefusalStatus } from './routes.ts'

type Outcome<R extends Parameters<Call>[0]> = Refusable<Answer<R>, RefusalStatus<R>>

/** The changes of a viewer; each is shown when it is answered. */
export interface DiscussionCommands {
  post(body: { body: string; parentId?: string | null; isSpoiler?: boolean }): Outcome<'POST /comments'>
  edit(commentId: string, body: NonNullable<CallInput<'PATCH /comments/:id'>['body']>): Outcome<'PATCH /comments/:id'>
  remove(commentId: string): Outcome<'DELETE /comments/:id'>
  /** The service refuses a change with `updatedAt` when the text was edited since that time. */
  setStatus(commentId: string, status: 'visible' | 'hidden', updatedAt?: string): Outcome<'PATCH /comments/:id/status'>
  like(commentId: string): Outcome<'PUT /comments/:id/like'>
  unlike(commentId: string): Outcome<'DELETE /comments/:id/like'>
  report(commentId: string, body?: CallInput<'POST /comments/:id/report'>['body']): Outcome<'POST /comments/:id/report'>
}

interface Flags {
  isLiked?: boolean
  isReported?: boolean
  /** True when the changed comment waits for a moderator. Its author gets no event of that. */
  isHeld?: boolean | undefined
}

export interface Peer {
  receive(change: DiscussionChange): void
  readAgain(): void
}

interface CommandParts {
  call: Call
  gameId: string
  /** The socket that the service excludes from the event of a new comment. */
  socketId(): string | undefined
  receive(change: DiscussionChange): void
  log: ChangeLog
  /** All stores of the game, because no event carries the viewer's own flags. */
  peers: ReadonlySet<Peer>
  /** True while events arrive, with the number of changes of that state. */
  connection(): { isLive: boolean; changes: number }
}

export function createCommands(parts: CommandParts): DiscussionCommands {
  const { call, gameId, socketId, receive, log, peers, connection } = parts
  /** The last running change of each comment. */
  const running = new Map<string, Promise<unknown>>()

  function readAgain() {
    for (const peer of peers) peer.readAgain()
  }

  /** Reads again after a lost answer, because the change may have been made, and after a 409, because the edit of a hidden comment sends no event. */
  function readAfterLoss(failure: unknown): never {
    if (failure instanceof ApiError && (failure.mayHaveArrived || failure.status === 409)) readAgain()
    throw failure
  }

  async function change<T>(commentId: string, request: () => Promise<T>, toFlags: (answer: T) => Flags): Promise<T> {
    // Changes of a comment run in sequence, because the answers to like and unlike could overtake each other.
    const answering = (running.get(commentId) ?? Promise.resolve()).then(request, request)
    running.set(commentId, answering)
    try {
      const answer = await answering.catch(readAfterLoss)
      const flags = toFlags(answer)
      for (const peer of peers) peer.receive({ kind: 'flags', event: { commentId, ...flags } })
      if (!connection().isLive || flags.isHeld) readAgain()
      return answer
    } finally {
      if (running.get(commentId) === answering) running.delete(commentId)
    }
  }

  async function post(input: Parameters<DiscussionCommands['post']>[0]): Promise<Comment> {
    const isReply = input.parentId != null
    // The store needs the event of a reply: it carries the count of the thread in the order of the writes.
    const id = isReply ? undefined : socketId()
    const headers: Record<string, string> = id === undefined ? {} : { 'x-socket-id': id }
    const { changes } = connection()
    const { answer, since } = await log
      .during(() => call('POST /comments', { body: { ...input, gameId }, headers }))
      .catch(readAfterLoss)
    const comment = since.reduce(patchComment, answer)
    if (!isReply) receive({ kind: 'posted', event: { commentId: comment._id, comment } })
    const last = since.findLast(({ kind, event }) => kind === 'status' && event.commentId === comment._id)
    if (!isReply && last) receive(last)
    // Events were missed while the socket was not subscribed, and a reply that waits has none.
    if (!connection().isLive || connection().changes > changes || (isReply && comment.isHeld)) readAgain()
    return answer
  }

  const params = (id: string) => ({ params: { id } })
  const toVote = ({ isActive }: { isActive: boolean }): Flags => ({ isLiked: isActive })
  const toFlags = ({ isLiked, isReported, isHeld }: Comment): Flags => ({ isLiked, isReported, isHeld })
  return {
    post,
    edit: (id, body) => change(id, () => call('PATCH /comments/:id', { ...params(id), body }), toFlags),
    async remove(id) {
      const answer = await change(id, () => call('DELETE /comments/:id', params(id)), toFlags)
      // A comment that was never shown is deleted without an event.
      const { parentId, status } = answer
      const event = { gameId, commentId: id, parentId, parentRepliesCount: null, status }
      for (const peer of peers) peer.receive({ kind: 'status', event })
      return answer
    },
    setStatus: (id, status, updatedAt) =>
      change(id, () => call('PATCH /comments/:id/status', { ...params(id), body: { status, updatedAt } }), toFlags),
    like: (id) => change(id, () => call('PUT /comments/:id/like', params(id)), toVote),
    unlike: (id) => change(id, () => call('DELETE /comments/:id/like', params(id)), toVote),
    report: (id, body = {}) =>
      change(
        id,
        () => call('POST /comments/:id/report', { ...params(id), body }),
        (answer) => answer,
      ),
  }
}
