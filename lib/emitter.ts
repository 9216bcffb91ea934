import type {
  CommentCreated,
  CommentLikes,
  CommentStatusChanged,
  CommentUpdated,
} from './contract/namespaces/comments.ts'
import type { ConflictDecided, ConflictsApplied } from './contract/namespaces/conflicts.ts'
import type { NewNotification } from './contract/namespaces/notifications.ts'
import type { RoyalChanged } from './contract/namespaces/royal.ts'
import type { UnreadCount } from './contract/notifications.ts'

/** How new an event is; without a `rev` it is sent whatever was sent before. */
export interface EventVersion {
  /** `rev` of the document that the event is about. */
  rev?: number | undefined
  /** The document's id, where the event itself does not hold it. */
  documentId?: string | undefined
  /** `rev` of the thread whose replies the event counts. */
  threadRev?: number | undefined
}

/** An event with how new it is, as the write of it answers. */
export interface VersionedEvent<P> {
  payload: P
  version: EventVersion
}

export interface SendOptions extends EventVersion {
  /** The socket that is left out: it has its answer already. */
  except?: string | undefined
  /** Whether the change stream brought it. */
  isRemote?: boolean
  /** Whether another program made the change, which does not raise `rev`: told again with the same one. */
  isUnnumbered?: boolean
}

/**
 * The one door for events. Called after the write; returns nothing, never throws, and does nothing while no server is
 * attached. It tells each version once, whoever comes first, the endpoint or the change stream: an event that is not newer
 * than the last one about the same thing is dropped.
 */
export interface Emitter {
  comments: {
    /** Sent once for an id; the count of replies in it is the newest one known. */
    created(event: CommentCreated, options?: SendOptions): void
    /** Dropped also when a newer status was sent. */
    updated(event: CommentUpdated, options?: SendOptions): void
    /** Notes an edit that nobody here is told of, so that no older one is sent later. */
    skipUpdate(commentId: string, version: EventVersion): void
    status(event: CommentStatusChanged, options?: SendOptions): void
    likes(event: CommentLikes, options?: SendOptions): void
    /** Notes the count of a thread's replies, for later events. */
    counted(threadId: string, count: ThreadCount): void
    /** Whether a socket here follows the discussion of this game; of any game without one. */
    hasSubscribers(gameId?: string): boolean
  }
  royal: {
    changed(userId: string, event: RoyalChanged, options?: SendOptions): void
    /** Whether a socket of this user is connected here. */
    hasSubscribers(userId: string): boolean
  }
  /** To all sockets of a user. */
  notifications: {
    created(userId: string, event: NewNotification): void
    counted(userId: string, event: UnreadCount): void
    hasSubscribers(userId: string): boolean
  }
  /** To every admin who looks on, the one who decided included. */
  conflicts: {
    decided(event: ConflictDecided, options?: SendOptions): void
    /** `versions`, by place of the entries, leave out entries that were sent before. */
    applied(event: ConflictsApplied, options?: SendOptions & { versions?: readonly EventVersion[] }): void
  }
  /** Forgets how new the last events about a document were: its `rev` begins again. */
  forget(id: string): void
  /** Closes every connection of this instance, so that its client comes back and reads anew. */
  reconnectClients(): void
}

export interface ThreadCount {
  rev: number
  repliesCount: number
}
