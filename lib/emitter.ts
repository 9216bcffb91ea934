import type {
  CommentCreated,
  CommentLikes,
  CommentStatusChanged,
  CommentUpdated,
} from './contract/comments-namespace.ts'
import type { ConflictDecided, ConflictsApplied } from './contract/conflicts-namespace.ts'
import type { RoyalChanged } from './contract/royal-namespace.ts'

/** How new an event is; without a `rev` it is sent whatever was sent before. */
export interface EventVersion {
  /** `rev` of the document that the event is about. */
  rev?: number | undefined
  /** The document's id, where the event itself does not hold it. */
  documentId?: string | undefined
  /** `rev` of the thread whose replies the event counts. */
  threadRev?: number | undefined
}

/** An event that a write has announced to the other instances. */
export interface Announced<P> {
  payload: P
  version: EventVersion
}

export interface SendOptions extends EventVersion {
  /** The socket that is left out: it has its answer already. */
  except?: string | undefined
  /** Whether another instance announced it, and its sockets have it. */
  isRemote?: boolean
}

/**
 * The one door for events. Called after the write; returns nothing, never throws, and does nothing while no server is
 * attached. An event that is older than the last one about the same thing is dropped.
 */
export interface Emitter {
  comments: {
    /** A reply is announced once; the count of replies in it is the newest one known. */
    created(event: CommentCreated, options?: SendOptions): void
    updated(event: CommentUpdated, options?: SendOptions): void
    /** Notes the number of an edit that nobody here is told of, so that no older one is told of later. */
    passOverUpdate(commentId: string, version: EventVersion): void
    status(event: CommentStatusChanged, options?: SendOptions): void
    likes(event: CommentLikes, options?: SendOptions): void
    /** Whether a socket here follows the discussion of this game. */
    isFollowed(gameId: string): boolean
  }
  royal: {
    changed(userId: string, event: RoyalChanged, options?: SendOptions): void
    /** Whether a socket of this user is connected here. */
    isFollowed(userId: string): boolean
  }
  /** To every admin who looks on, the one who decided included. */
  conflicts: {
    decided(event: ConflictDecided, options?: SendOptions): void
    applied(event: ConflictsApplied, options?: SendOptions): void
  }
  /** Forgets how new the last events about a document were: its `rev` begins again. */
  forget(id: string): void
  /** Closes every connection of this instance, so that its client comes back and reads anew. */
  reconnectClients(): void
}
