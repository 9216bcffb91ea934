import { z } from 'zod'
import { CommentStatus } from '../comments.ts'
import { Id, IsoDate } from '../ids.ts'
import { MESSAGES } from '../messages.ts'
import type { ClientEvents, Namespace, ServerEvents } from './namespace.ts'

export const DiscussionRequest = z.object({ gameId: Id }, { error: MESSAGES.payloadNotObject })

const ok = z.object({ ok: z.literal(true) })
const refused = <const E extends readonly [string, ...string[]]>(errors: E) =>
  z.object({ ok: z.literal(false), error: z.enum(errors) })

export const JoinAck = z.union([ok, refused([MESSAGES.invalidGameId, MESSAGES.tooManyDiscussions])])
export type JoinAck = z.infer<typeof JoinAck>
export const LeaveAck = z.union([ok, refused([MESSAGES.invalidGameId])])
export type LeaveAck = z.infer<typeof LeaveAck>

const parent = {
  parentId: Id.nullable(),
  parentRepliesCount: z.int().nullable(),
}
const subject = { gameId: Id, commentId: Id }

export const CommentCreated = z.object({ ...subject, ...parent })
export type CommentCreated = z.infer<typeof CommentCreated>

export const CommentUpdated = z.object({ ...subject, body: z.string(), isSpoiler: z.boolean(), updatedAt: IsoDate })
export type CommentUpdated = z.infer<typeof CommentUpdated>

export const CommentStatusChanged = z.object({ ...subject, ...parent, status: CommentStatus })
export type CommentStatusChanged = z.infer<typeof CommentStatusChanged>

export const CommentLikes = z.object({ ...subject, likesCount: z.int() })
export type CommentLikes = z.infer<typeof CommentLikes>

export const commentsNamespace = {
  path: '/comments',
  summary: 'Announces new, edited, moderated and liked comments. Anonymous; REST makes every change.',
  requests: {
    'discussion:join': { summary: 'Subscribe to the discussion of a game', payload: DiscussionRequest, ack: JoinAck },
    'discussion:leave': { summary: 'Unsubscribe from it', payload: DiscussionRequest, ack: LeaveAck },
  },
  events: {
    'comment:created': { summary: 'A comment or a reply was posted', payload: CommentCreated },
    'comment:updated': { summary: 'A comment was edited', payload: CommentUpdated },
    'comment:status': { summary: 'A comment was hidden, shown again or deleted', payload: CommentStatusChanged },
    'comment:likes': { summary: 'The number of likes of a comment changed', payload: CommentLikes },
  },
} as const satisfies Namespace

export type CommentsClientEvents = ClientEvents<typeof commentsNamespace>
export type CommentsServerEvents = ServerEvents<typeof commentsNamespace>
