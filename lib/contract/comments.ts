import { z } from 'zod'
import { Id, IsoDate, SentDate } from './ids.ts'
import { COMMENT_BODY_MAX, COMMENT_STORED_MAX, COMMENTS_PAGED_MAX, MODERATION_REASON_MAX, TAKE_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { OBJECT_ID } from './object-id.ts'
import { listSchema, type Page, pageQuery, wholeNumber } from './pages.ts'
import { text, trimmedText } from './texts/text.ts'

export const CommentStatus = z.enum(['visible', 'hidden', 'deleted'])
export type CommentStatus = z.infer<typeof CommentStatus>

export const CommentAuthor = z.object({ _id: Id, userName: z.string(), avatar: z.string().optional() })
export type CommentAuthor = z.infer<typeof CommentAuthor>

/**
 * A comment as its viewer may see it. An unreadable one is a placeholder: empty `body` and `userId`, no `author`. Only
 * admins get `reportsCount`. A comment with `isHeld` waits for a moderator, and only its author and admins read it; its author
 * sees `hasHeldReplies` at the top-level comment in lists.
 */
export const Comment = z.object({
  _id: Id,
  gameId: Id,
  userId: z.union([Id, z.literal('')]),
  parentId: Id.nullable(),
  replyToId: Id.nullable(),
  body: z.string(),
  isSpoiler: z.boolean(),
  likesCount: z.int(),
  repliesCount: z.int(),
  reportsCount: z.int().optional(),
  status: CommentStatus,
  isHeld: z.literal(true).optional(),
  hasHeldReplies: z.literal(true).optional(),
  createdAt: IsoDate,
  updatedAt: IsoDate,
  replyTo: z.object({ _id: Id, author: CommentAuthor.nullable() }).nullable(),
  author: CommentAuthor.nullable(),
  isLiked: z.boolean(),
  isReported: z.boolean(),
  // Keys of the site's other service, which its clients require.
  reviewId: z.null(),
  review: z.null(),
  authorPlaythrough: z.null(),
})
export type Comment = z.infer<typeof Comment>

export const CommentList = listSchema(Comment)
export type CommentList = z.infer<typeof CommentList>

export const CommentSort = z.enum(['top', 'new'])
export type CommentSort = z.infer<typeof CommentSort>

const PAGES_END = { message: `Pages end at ${COMMENTS_PAGED_MAX} comments`, path: ['page'] }
const isPaged = ({ page, take }: Page) => page * take <= COMMENTS_PAGED_MAX
const commentPages = pageQuery(10)

const AFTER = 'after is the likesCount, createdAt and _id of the last row read, joined by "_"'
/** Continues a list after a row by the values that were read, so the row may have moved or gone meanwhile. */
const after = text(60, AFTER)
  .regex(new RegExp(`^\\d{1,9}_\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z_${OBJECT_ID}$`), AFTER)
  .refine((cursor) => !Number.isNaN(Date.parse(cursor.split('_')[1] ?? '')), AFTER)
  .meta({ examples: ['12_2024-01-01T10:00:00.000Z_65a1b2c3d4e5f6a7b8c9d0e1'] })
  .optional()

export const DiscussionQuery = z
  .object({ sort: CommentSort.default('top'), after, ...commentPages })
  .refine(isPaged, PAGES_END)
export const CommentsQuery = z.object(commentPages).refine(isPaged, PAGES_END)
export const AllCommentsQuery = z
  .object({ status: CommentStatus.optional(), userId: Id.optional(), ...commentPages })
  .refine(isPaged, PAGES_END)
export type AllCommentsQuery = z.output<typeof AllCommentsQuery>
/** `around` requests the replies before and after one reply. `around` has precedence over `after`, and `after` over `page`. */
export const RepliesQuery = z.object({ around: Id.optional(), after, ...commentPages }).refine(isPaged, PAGES_END)

const CommentBody = text(COMMENT_BODY_MAX, undefined, MESSAGES.commentTooLong).meta({ minLength: 1 })

export const CreateCommentBody = z.object({
  reviewId: z.null(MESSAGES.reviewsElsewhere).optional(),
  gameId: Id,
  parentId: Id.nullish(),
  body: CommentBody,
  isSpoiler: z.boolean().default(false),
})

/** Accepts a longer text, because cleaning or another program may have lengthened the stored text that is sent back. */
const EditedBody = text(COMMENT_STORED_MAX, undefined, MESSAGES.commentTooLong).meta({ minLength: 1 })

export const EditCommentBody = z
  .object({ body: EditedBody.optional(), isSpoiler: z.boolean().optional() })
  .refine((edit) => edit.body !== undefined || edit.isSpoiler !== undefined, MESSAGES.editNothing)
  .meta({ anyOf: [{ required: ['body'] }, { required: ['isSpoiler'] }] })

/** The reason that the author of a moderated comment and the staff log receive. */
export const ModerationReason = trimmedText(MODERATION_REASON_MAX).optional()

export const SetCommentStatusBody = z.object({
  status: z.enum(['visible', 'hidden']),
  reason: ModerationReason,
  /** The `updatedAt` of the text that was read. A change of an older version is refused. */
  updatedAt: SentDate.optional(),
})

export const LikeState = z.object({ count: z.int(), isActive: z.boolean() })
export type LikeState = z.infer<typeof LikeState>

export const ReportState = z.object({ isReported: z.literal(true) })
export type ReportState = z.infer<typeof ReportState>

export const DiscussionsQuery = z.object({ take: wholeNumber('take', 1, TAKE_MAX).default(20) })

/** A game with an active discussion, and its newest visible comment. */
export const ActiveDiscussion = z.object({
  game: z.object({ _id: Id, name: z.string(), slug: z.string(), cover: z.string().nullable() }),
  /** Visible comments and replies among the newest 1,000 of all games. */
  commentsCount: z.int().positive(),
  last: z.object({
    _id: Id,
    author: CommentAuthor.nullable(),
    createdAt: IsoDate,
    /** Empty for a spoiler. */
    excerpt: z.string(),
    isSpoiler: z.boolean(),
    parentId: Id.nullable(),
  }),
})
export type ActiveDiscussion = z.infer<typeof ActiveDiscussion>

export const DiscussionList = z.object({ results: z.array(ActiveDiscussion) })
export type DiscussionList = z.infer<typeof DiscussionList>
