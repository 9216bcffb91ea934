import type { Document, Filter, Sort } from 'mongodb'
import type { Page } from '../../contract/pages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { countIn } from '../../infrastructure/db/expressions.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { type DiscussionPage, packVoters } from './discussion-page.ts'

/** Voters of a comment that are read and kept with a page. */
const KEPT_VOTERS_MAX = 200

const isKept = { $lte: [{ $add: [countIn('$likesCount'), countIn('$reportsCount')] }, KEPT_VOTERS_MAX] }
const VOTERS = {
  likedBy: { $cond: [isKept, '$likedBy', null] },
  reportedBy: { $cond: [isKept, '$reportedBy', null] },
}

export type VotedRow = CommentRow & { likedBy: unknown; reportedBy: unknown }

/** Reads comments with their voters, for whoever may read them. */
export const readRows = (
  { db }: Pick<CommentsDeps, 'db'>,
  filter: Filter<CommentDocument>,
  { sort, hint, page, take }: Page & { sort: Sort; hint: Document },
): Promise<VotedRow[]> =>
  db.comments
    // Left alone, the planner tries each index to thousands of keys.
    .find<VotedRow>(filter, { projection: { ...rowProjection(null), ...VOTERS }, hint })
    .sort(sort)
    .skip((page - 1) * take)
    .limit(take)
    .toArray()

const toVotes = ({ likedBy, reportedBy }: VotedRow) =>
  likedBy === null || reportedBy === null ? [] : [{ liked: packVoters(likedBy), reported: packVoters(reportedBy) }]

export function toPage(
  found: readonly VotedRow[],
  { total, answered = [] }: Pick<DiscussionPage, 'total'> & Partial<Pick<DiscussionPage, 'answered'>>,
): DiscussionPage {
  const read = found.flatMap(toVotes)
  const votes = read.length === found.length ? read : null
  return {
    total,
    rows: found.map(({ likedBy: _likedBy, reportedBy: _reportedBy, ...row }) => row),
    votes,
    voters: Buffer.concat((votes ?? []).flatMap(({ liked, reported }) => [liked, reported])),
    answered,
    shown: null,
  }
}
