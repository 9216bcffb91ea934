import { ObjectId } from 'mongodb'
import type { CommentList } from '../../contract/comments.ts'
import type { AuthoredComment, CommentRow } from './comment-row.ts'

/** Ids of users, 12 bytes each. */
type Voters = Buffer

export interface DiscussionPage {
  total: number
  rows: readonly CommentRow[]
  /** The voters of each row; null where those of any row are too many to be kept. */
  votes: readonly { liked: Voters; reported: Voters }[] | null
  /** All of them: one search tells that a viewer voted for no row. */
  voters: Voters
  /** Comments that the rows answer, where they were read with them. */
  answered: readonly AuthoredComment[]
  /** The page as it is sent to all who voted for none of it, with the names that its authors had. */
  shown: { authorsVersion: number; list: CommentList } | null
}

const ROW_BYTES = 2_000
/** Characters of an avatar's address for which the bytes of a row have room. */
export const AVATAR_MAX = 200

/** The memory that a page takes, with its answer as an object and as a text. */
export function pageBytes({ rows, voters }: DiscussionPage): number {
  let bytes = ROW_BYTES + 2 * voters.length
  for (const { body } of rows) bytes += ROW_BYTES + 4 * body.length
  return bytes
}

const ID_BYTES = 12

/** Whatever else another program stored among the ids is nobody's vote. */
export const packVoters = (ids: unknown): Voters =>
  Buffer.concat(Array.isArray(ids) ? ids.flatMap((each) => (each instanceof ObjectId ? [each.id] : [])) : [])

export function isVoter(voters: Voters, { id }: ObjectId): boolean {
  let at = voters.indexOf(id)
  // The end of one id and the beginning of the next may read as a third.
  while (at % ID_BYTES > 0) at = voters.indexOf(id, at + 1)
  return at >= 0
}
