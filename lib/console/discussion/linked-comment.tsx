import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { describeError } from '../describe-error.ts'
import { type ApiError, hall, settle } from '../hall.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { linkTo } from '../route.ts'
import { CommentHead, CommentText, nameAuthor } from './comment-content.tsx'

/** The neighbours of a comment: the first comment of its thread, and some replies before and after it. */
export interface CommentThread {
  before: readonly Comment[]
  after: readonly Comment[]
  others: number
}

const TAKE = 50
const PAGES_MAX = 4
const NEIGHBOURS = 3

async function readFirst(id: string): Promise<Comment[]> {
  const answer = await settle(hall.call('GET /comments/:id', { params: { id } }))
  if (!answer.ok && answer.error.status !== 404) throw answer.error
  return answer.ok ? [answer.value] : []
}

async function readReplies(id: string, wanted: string): Promise<{ replies: Comment[]; total: number }> {
  const replies: Comment[] = []
  for (let page = 1; ; page += 1) {
    const { results, total } = await hall.call('GET /comments/:id/replies', {
      params: { id },
      query: { page, take: TAKE },
    })
    replies.push(...results)
    const isEnough = results.some(({ _id }) => _id === wanted) || page === PAGES_MAX
    if (isEnough || replies.length >= total || results.length === 0) return { replies, total }
  }
}

/** Reads the neighbours of a comment in its thread. */
export async function readThread({ _id, parentId }: Comment): Promise<CommentThread> {
  if (parentId === null) {
    const { replies, total } = await readReplies(_id, _id)
    const after = replies.slice(0, NEIGHBOURS)
    return { before: [], after, others: total - after.length }
  }
  const [first, { replies, total }] = await Promise.all([readFirst(parentId), readReplies(parentId, _id)])
  const index = replies.findIndex((reply) => reply._id === _id)
  const at = index === -1 ? replies.length : index
  const before = replies.slice(Math.max(0, at - NEIGHBOURS), at)
  const after = replies.slice(at + 1, at + 1 + NEIGHBOURS)
  return { before: [...first, ...before], after, others: Math.max(0, total - before.length - after.length - 1) }
}

function StaticComment({ comment, isLinked = false }: { comment: Comment; isLinked?: boolean }) {
  const isReadable = comment.author !== null || comment.body !== ''
  return (
    <article
      class={`stack tight comment ${isLinked ? 'linked' : ''}`}
      aria-current={isLinked ? 'true' : undefined}
      aria-label={isReadable ? `Comment by ${nameAuthor(comment)}` : 'Comment removed'}
    >
      {isReadable ? (
        <>
          <CommentHead comment={comment} />
          <CommentText comment={comment} />
        </>
      ) : (
        <p class="muted">{isLinked ? 'This comment may not be read.' : 'Comment removed'}</p>
      )}
    </article>
  )
}

export const ThreadAround = ({ thread, children }: { thread: CommentThread; children: ComponentChildren }) => (
  <div class="stack tight around">
    {thread.before.map((comment) => (
      <StaticComment key={comment._id} comment={comment} />
    ))}
    {children}
    {thread.after.map((comment) => (
      <StaticComment key={comment._id} comment={comment} />
    ))}
  </div>
)

interface Linked {
  comment: Comment
  thread: CommentThread
}

async function readLinked(id: string): Promise<Linked> {
  const comment = await hall.call('GET /comments/:id', { params: { id } })
  return { comment, thread: await readThread(comment) }
}

/** The thread of the comment that the address names, read once; the discussion below it is live. */
export function LinkedComment({ id, game }: { id: string; game: { slug: string } }) {
  const [linked, setLinked] = useState<Linked>()
  const [error, setError] = useState<ApiError>()
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    setLinked(undefined)
    void settle(readLinked(id)).then((answer) => {
      setError(answer.ok ? undefined : answer.error)
      if (answer.ok) setLinked(answer.value)
    })
  }, [id])
  useEffect(() => section.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }), [linked])

  return (
    <section class="stack" aria-labelledby="linked-comment" ref={section}>
      <h2 id="linked-comment">Linked comment</h2>
      {error && <Empty title={error.status === 404 ? 'This comment may not be read.' : describeError(error)} />}
      {!linked && !error && <Busy />}
      {linked && (
        <ThreadAround thread={linked.thread}>
          <StaticComment comment={linked.comment} isLinked />
        </ThreadAround>
      )}
      <p>
        <a href={linkTo('games', game.slug)}>All comments</a>
      </p>
    </section>
  )
}
