import type {
  CommentCreated,
  CommentLikes,
  CommentStatusChanged,
  CommentUpdated,
} from './contract/comments-namespace.ts'
import type { ConflictDecided, ConflictsApplied } from './contract/conflicts-namespace.ts'
import type { RoyalChanged } from './contract/royal-namespace.ts'

export interface Except {
  /** The socket that is left out: it has its answer already. */
  except?: string | undefined
}

/**
 * The one door for events. Called after the write; returns nothing, never throws, and does nothing while no server is
 * attached.
 */
export interface Emitter {
  comments: {
    created(event: CommentCreated, options?: Except): void
    updated(event: CommentUpdated, options?: Except): void
    status(event: CommentStatusChanged, options?: Except): void
    likes(event: CommentLikes, options?: Except): void
  }
  royal: {
    changed(userId: string, event: RoyalChanged, options?: Except): void
  }
  /** To every admin who looks on, the one who decided included. */
  conflicts: {
    decided(event: ConflictDecided): void
    applied(event: ConflictsApplied): void
  }
}
