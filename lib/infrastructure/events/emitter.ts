import type {
  CommentCreated,
  CommentLikes,
  CommentStatusChanged,
  CommentUpdated,
} from '../../contract/namespaces/comments.ts'
import type { ConflictDecided, ConflictsApplied } from '../../contract/namespaces/conflicts.ts'
import type { NewNotification, ReportsChanged } from '../../contract/namespaces/notifications.ts'
import type { RoyalChanged } from '../../contract/namespaces/royal.ts'
import type { NotificationTypes, UnreadCount } from '../../contract/notifications.ts'

export interface EventVersion {
  /** `rev` of the document that the event is about. */
  rev?: number | undefined
  /** The document's id, where the event itself does not hold it. */
  documentId?: string | undefined
  /** `rev` of the thread whose replies the event counts. */
  threadRev?: number | undefined
}

export interface Changed<R, P> {
  result: R
  event: { payload: P; version: EventVersion } | null
}

/** A part of an event about several documents: each has the version of its own. */
export interface VersionedEntry {
  externalId: string
  documentId: string
  /** Undefined where another program stored it. */
  rev: number | undefined
}

export interface SendOptions extends EventVersion {
  /** The socket that is left out: it has its answer already. */
  except?: string | undefined
  /** True when the change stream brought it. */
  isRemote?: boolean
  /** True when another program made the change: it does not raise `rev`, so an equal `rev` is sent again. */
  isUnnumbered?: boolean
}

/**
 * The only way to send events, called after the write. Never throws, and does nothing while no server is attached. Each
 * version is sent once, whether the endpoint or the change stream reports it first: an event that is not newer than
 * the last of its kind about the same document is dropped.
 */
export interface Emitter {
  comments: {
    /** Sent once per comment, with the newest known reply count of its thread. */
    created(event: CommentCreated, options?: SendOptions): void
    /** Dropped also when a newer status was sent. */
    updated(event: CommentUpdated, options?: SendOptions): void
    /** Records the version of an edit that is not sent, so that no older edit is sent later. */
    markUpdateSeen(commentId: string, version: EventVersion): void
    status(event: CommentStatusChanged, options?: SendOptions): void
    likes(event: CommentLikes, options?: SendOptions): void
    /** Notes the count of a thread's replies, for later events. */
    counted(threadId: string, count: ThreadCount): void
    /** True when a socket here follows this game's discussion; without `gameId`, whether any socket is connected. */
    hasSubscribers(gameId?: string): boolean
  }
  royal: {
    changed(userId: string, event: RoyalChanged, options?: SendOptions): void
    hasSubscribers(userId: string): boolean
  }
  notifications: {
    created(userId: string, types: NotificationTypes, event: NewNotification): void
    counted(userId: string, types: NotificationTypes, event: UnreadCount): void
    hasSubscribers(userId: string, types: NotificationTypes): boolean
  }
  /** To the sockets of admins, the one who decided included. */
  reports: {
    changed(event: ReportsChanged, options?: SendOptions): void
  }
  /** To every admin who looks on, the one who decided included. */
  conflicts: {
    decided(event: ConflictDecided, options?: SendOptions): void
    /** Entries that were already sent are left out. */
    applied(source: ConflictsApplied['source'], entries: readonly VersionedEntry[], options?: SendOptions): void
  }
  /** Forgets how new the last events about a document were: its `rev` begins again. */
  forget(id: string): void
  /** Closes every connection of a user, and those that are being admitted: the account is closed. */
  disconnectUser(userId: string): void
  isDisconnected(userId: string): boolean
  /** Closes every connection of this instance, so that its client comes back and reads anew. */
  reconnectClients(): void
}

export interface ThreadCount {
  rev: number
  repliesCount: number
}
