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

/** One document of an event about several documents, with its version. */
export interface VersionedEntry {
  externalId: string
  documentId: string
  /** Undefined where another program stored it. */
  rev: number | undefined
}

export interface SendOptions extends EventVersion {
  /** The socket that gets no event, because it has the answer of its request. */
  except?: string | undefined
  /** True when the event came from the change stream. */
  isRemote?: boolean
  /** True when another program made the change: it does not raise `rev`, so an equal `rev` is sent again. */
  isUnnumbered?: boolean
}

/**
 * The only way to send events, called after the write. It never throws, and does nothing while no server is attached. Each
 * version is sent once, whether the endpoint or the change stream reports it first: an event is dropped unless it is newer
 * than the last one of its kind about the same document.
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
    /** True when a socket here follows this game's discussion. */
    hasSubscribers(gameId: string): boolean
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
  /** Sends to the sockets of all admins, the deciding one included. */
  reports: {
    changed(event: ReportsChanged, options?: SendOptions): void
  }
  /** Sends to every admin with an open list, the deciding one included. */
  conflicts: {
    decided(event: ConflictDecided, options?: SendOptions): void
    /** Leaves out entries that were already sent. */
    applied(source: ConflictsApplied['source'], entries: readonly VersionedEntry[], options?: SendOptions): void
  }
  /** Forgets the versions of the last events about a document, whose `rev` may begin again. */
  forget(id: string): void
  /** Closes every connection of a user whose account is closed, also a connection that is being admitted. */
  disconnectUser(userId: string): void
  isDisconnected(userId: string): boolean
  /** Closes every connection of this instance, so that the clients connect and read again. */
  reconnectClients(): void
}
