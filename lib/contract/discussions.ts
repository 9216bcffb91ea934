import { z } from 'zod'
import { CommentAuthor } from './comments.ts'
import { Id, IsoDate } from './ids.ts'
import { DISCUSSIONS_TAKE_MAX } from './limits.ts'
import { wholeNumber } from './pages.ts'

export const DiscussionsQuery = z.object({ take: wholeNumber('take', 1, DISCUSSIONS_TAKE_MAX).default(20) })

/** A game that people talk about, with its newest visible comment. */
export const ActiveDiscussion = z
  .object({
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
  .meta({ id: 'ActiveDiscussion' })
export type ActiveDiscussion = z.infer<typeof ActiveDiscussion>

export const DiscussionList = z.object({ results: z.array(ActiveDiscussion) }).meta({ id: 'DiscussionList' })
export type DiscussionList = z.infer<typeof DiscussionList>
