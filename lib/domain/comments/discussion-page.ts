import { ObjectId } from 'mongodb'
import type { JsonBytes } from '../../base/values/json-bytes.ts'
import type { CommentList } from '../../contract/comments.ts'
import type { AuthoredComment, CommentRow } from './comment-row.ts'

type Voters = Buffer

export interface DiscussionPage {
  total: number
  rows: readonly CommentRow[]
  /** The voters of each row. Null when any row has too many to be cached. */
  votes: readonly { liked: Voters; reported: Voters }[] | null
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

const ID_BYTES = 12

/** Packs the ids of voters, and skips other values that another program stored. */
export const packVoters = (ids: unknown): Voters =>
  Buffer.concat(Array.isArray(ids) ? ids.flatMap((id) => (id instanceof ObjectId ? [id.id] : [])) : [])

export function isVoter(voters: Voters, { id }: ObjectId): boolean {
  let at = voters.indexOf(id)
  // The end of one id and the beginning of the next may look like a third.
  while (at % ID_BYTES > 0) at = voters.indexOf(id, at + 1)
  return at >= 0
}
