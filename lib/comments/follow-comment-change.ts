import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { CommentCreated, CommentLikes, CommentStatusChanged } from '../contract/comments-namespace.ts'
import { Id } from '../contract/ids.ts'
import type { Announcement } from '../events/announcement.ts'
import type { Change } from '../events/change.ts'
import { toUpdated } from './announce-again.ts'
import { dropDiscussion, dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { lookUpHome } from './find-home.ts'

type FollowCommentChangeDeps = Pick<CommentsDeps, 'db' | 'emit' | 'commentCaches' | 'feed' | 'log'>

const Subject = z.object({ gameId: Id })
const CreatedSubject = CommentCreated.omit({ parentRepliesCount: true })
const StatusSubject = CommentStatusChanged.omit({ parentRepliesCount: true })
const LikesSubject = CommentLikes.omit({ likesCount: true })

/** These change what a page shows, and not which comments are listed. */
const PAGES_ONLY = new Set<string | null>(['comment:likes', 'comment:updated'])

function clearDiscussions({ commentCaches: { pages, totals } }: FollowCommentChangeDeps): void {
  pages.clear()
  totals.clear()
}

/** Handles a change that does not name the game of its comment: until the game is known, no page is trusted. */
function dropByComment(deps: FollowCommentChangeDeps, { id, type, values }: Change): void {
  const { homes, pages, totals } = deps.commentCaches
  const { gameId } = values
  const commentId = id instanceof ObjectId ? id.toHexString() : undefined
  const home = commentId && homes.get(commentId)
  // A program that changes many comments must not have each of them looked up.
  const isLookUpVain = commentId === undefined || type === 'delete' || gameId !== undefined || pages.isPaused
  if (home) {
    dropDiscussion(deps, home.gameId)
    if (gameId !== undefined) homes.delete(commentId)
  } else if (isLookUpVain) {
    clearDiscussions(deps)
  } else {
    const resumes = [pages.pause(), totals.pause()]
    lookUpHome(deps, commentId)
      .then((found) => (found ? dropDiscussion(deps, found.gameId) : clearDiscussions(deps)))
      .catch(() => clearDiscussions(deps))
      .finally(() => {
        for (const resume of resumes) resume()
      })
  }
}

/** Forgets the cached pages of the discussion in which another process changed a comment. */
export function dropChangedDiscussion(
  deps: FollowCommentChangeDeps,
  change: Change,
  announcement: Announcement | null,
): void {
  const {
    type,
    values: { gameId },
  } = change
  const subject = Subject.safeParse(announcement?.payload)
  const named = subject.success ? new ObjectId(subject.data.gameId) : null
  if (gameId !== undefined) dropDiscussion(deps, gameId)
  if (named !== null) {
    const isPageOnly = type === 'update' && PAGES_ONLY.has(announcement?.event ?? null)
    const drop = isPageOnly ? dropPages : dropDiscussion
    drop(deps, named)
  }
  // A document that was stored as a whole may carry the announcement of another one, or of its time in another game.
  const isKnown = type === 'insert' ? gameId !== undefined : named !== null && (gameId?.equals(named) ?? true)
  if (!isKnown) dropByComment(deps, change)
}

/** Reads the text of an edit, which no announcement holds, if somebody here reads the discussion. */
async function announceEdit(
  { db, emit, feed }: FollowCommentChangeDeps,
  { id, values: { rev } }: Change,
  { sender, payload }: Announcement,
): Promise<void> {
  if (!(id instanceof ObjectId)) return
  const subject = Subject.safeParse(payload)
  if (subject.success && !emit.comments.isFollowed(subject.data.gameId)) {
    emit.comments.passOverUpdate(id.toHexString(), { rev })
    return
  }
  const announce = async () => {
    const comment = await db.comments.findOne({ _id: id }, { projection: { likedBy: 0, reportedBy: 0 } })
    if (comment?.status !== 'visible') return
    emit.comments.updated(toUpdated(comment), { rev, except: sender, isRemote: true })
  }
  await feed.lostAnswers.guard(announce, announce, { isAfterWrite: true })
}

/** Tells this instance's sockets of a comment that another instance changed. Resolves when the event is sent. */
export async function followCommentChange(
  deps: FollowCommentChangeDeps,
  change: Change,
  announcement: Announcement,
): Promise<void> {
  const { comments } = deps.emit
  const { event, payload, sender, subjectRev } = announcement
  const options = { except: sender, isRemote: true }
  const { rev, likesCount, repliesCount } = change.values
  // Where the change tells no count, the count stayed at 0.
  const parentRepliesCount = repliesCount ?? 0

  switch (event) {
    case 'comment:created': {
      const subject = CreatedSubject.parse(payload)
      if (subject.parentId === null) comments.created({ ...subject, parentRepliesCount: null }, options)
      else comments.created({ ...subject, parentRepliesCount }, { ...options, threadRev: rev })
      return
    }
    case 'comment:status': {
      const subject = StatusSubject.parse(payload)
      if (subjectRev === undefined) comments.status({ ...subject, parentRepliesCount: null }, { ...options, rev })
      else comments.status({ ...subject, parentRepliesCount }, { ...options, rev: subjectRev, threadRev: rev })
      return
    }
    case 'comment:likes': {
      const subject = LikesSubject.parse(payload)
      if (likesCount !== undefined) {
        comments.likes({ ...subject, likesCount }, { ...options, rev })
      }
      return
    }
    case 'comment:updated':
      return announceEdit(deps, change, announcement)
  }
}
