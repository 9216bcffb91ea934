import { ObjectId } from 'mongodb'
import type { JsonBytes } from '../../base/values/json-bytes.ts'
import type { CommentList } from '../../contract/comments.ts'
import type { AuthoredComment, CommentRow } from './comment-row.ts'

export interface DiscussionPage {
  total: number
  rows: readonly CommentRow[]
  /** The voters of each row, as `packVoters` writes them. Null when any row has too many to be cached. */
  votes: readonly { liked: string; reported: string }[] | null
  /** Replied-to comments of the rows, when they were read together. */
  repliedTo: readonly AuthoredComment[]
}

/** A page with the answer that everybody shares who voted for none of it. */
export interface ShownPage {
  page: DiscussionPage
  answer: JsonBytes<CommentList>
}

const ROW_BYTES = 1_000

export const pageBytes = ({ rows, votes }: DiscussionPage): number =>
  rows.reduce((bytes, { body }) => bytes + ROW_BYTES + 2 * body.length, ROW_BYTES) +
  (votes ?? []).reduce((bytes, { liked, reported }) => bytes + liked.length + reported.length, 0)

/** The memory that an answer takes as bytes and as an object, beside its page. */
export const shownBytes = ({ answer }: ShownPage): number => 4 * answer.bytes.length

/** Writes the ids of voters in hex as one text, and skips other values that another program stored. */
export const packVoters = (ids: unknown): string =>
  Array.isArray(ids) ? ids.filter((id) => id instanceof ObjectId).join() : ''
