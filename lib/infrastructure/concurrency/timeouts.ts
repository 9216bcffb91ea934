/**
 * Time budgets that depend on one another, in milliseconds: a request must be answered within 3 s even while the database is
 * unreachable, and a stop must end within the 10 s that process managers allow. An independent time, such as the pause
 * between two samples, stands beside its use.
 */

/** The wait of a request for the database, its session included. The 3 s leave room for the answer itself. */
export const REQUEST_TIMEOUT_MS = 2_500

/** No part of a command waits longer than a request. The wait for a connection is as long, because a busy pool is no outage. */
export const DATABASE_TIMEOUTS = {
  serverSelectionTimeoutMS: 1_500,
  connectTimeoutMS: 1_500,
  waitQueueTimeoutMS: 2_300,
  socketTimeoutMS: REQUEST_TIMEOUT_MS,
  heartbeatFrequencyMS: 1_000,
  minHeartbeatFrequencyMS: 100,
}

/** Reserved for a running turn. The database gives up a command this long before its request ends, so that no queue waits behind. */
export const TURN_MS = 500

/** The longest wait for a turn: the driver never ends a command larger than the socket's buffer while the database hangs. */
export const TASK_TIMEOUT_MS = 60_000

/** The wait for a turn, in a queue or at a limit: a request less what the turn itself takes. */
export const MAX_WAIT_MS = REQUEST_TIMEOUT_MS - TURN_MS

/** A rotated refresh token returns its successor during this time, because tabs and lost answers send it twice. */
export const REFRESH_GRACE_MS = 10_000
/** A refresh answers just before its request is given up, so that no rotated token is lost on the way. */
export const REFRESH_ANSWER_MS = REQUEST_TIMEOUT_MS - 100

/** A start waits this long for its database, which may be starting too. */
export const DATABASE_START_MS = 30_000

/** How long a client may take to send a request, head and body, and to read any part of its answer. */
export const CLIENT_TIMEOUT_MS = 30_000

/** Longer than the idle time of the usual proxies, so that no proxy reuses a connection that this side closes. */
export const KEEP_ALIVE_MS = 75_000

/** The server closes within this time, and the database within the rest of 10 s. */
export const CLOSE_TIMEOUT_MS = 8_000

/** A stop during a start waits this long for the running step. */
export const START_STEP_TIMEOUT_MS = 2_000

/** A stop that takes longer ends the process. */
export const STOP_TIMEOUT_MS = 20_000

/** A dead client delays the close no longer than this; a live one answers the close frame at once. */
export const CLOSE_FRAME_TIMEOUT_MS = 1_000

/** The database holds an empty batch of the feed back for this time. */
export const FEED_ANSWER_MS = 1_000
/** The feed is live, and caches are used, while its last answer is younger than this: so long may a cache lag behind. */
export const FEED_LIVE_MS = 3 * FEED_ANSWER_MS
/** The feed is not live while the changes of an answer are older than this. */
export const FEED_LAG_MAX_MS = 1_000
/** A start goes on without the feed after this time. */
export const FEED_OPEN_TIMEOUT_MS = 5_000

/** The feed reads local changes for this time after a write without an answer, because the write may still be running. */
export const LOCAL_CHANGES_READ_MS = 60_000

/** A socket's ping, and the wait for its pong: shorter together than the idle time of the usual proxies. */
export const SOCKET_PINGS = { intervalMs: 25_000, timeoutMs: 20_000 }
/** A connection that no namespace has admitted is closed after this time. */
export const PENDING_CONNECTION_MS = 10_000
/** The interval between two checks of the unsent bytes of all sockets. */
export const UNSENT_CHECK_MS = 500
/** The wait of a socket's request for its turn: with the work itself below the 10 s after which a client gives an answer up. */
export const SOCKET_MAX_WAIT_MS = 5_000

/** Calls of an outside source: an attempt is shorter than its call, so that silence is noticed and opens the circuit. */
export const SOURCE_TIMEOUTS = {
  /** A single attempt, from connecting to the last byte. */
  attemptMs: 5_000,
  /** A call with its pauses, without the waits for permits. */
  callMs: 15_000,
  /** All waits of one call for permits. */
  permitMs: 60_000,
  /** The pause before the second attempt; doubled before the third. */
  retryMs: 500,
  /** A request that was sent reaches the source within this time. */
  arrivalMs: 1_000,
  circuitOpenMs: 30_000,
  /** The least wait that callers are answered during a trial of an open circuit. */
  trialMs: 1_000,
  /** The longest rest that a source may ask for. */
  restMs: 300_000,
}

/** An image download. Two connections that fail leave time for a third. */
export const IMAGE_TIMEOUTS = { connectMs: 5_000, totalMs: 30_000 }

/** All commands of one list of an export together. A client may read the list slowly. */
export const EXPORT_QUERY_MS = 10 * 60_000

/** A call of the bucket, and an attempt that is silent, several of which fit. */
export const STORAGE_TIMEOUTS = { silenceMs: 5_000, callMs: 20_000 }

/** A change of the profile copies an image. */
export const PROFILE_TIMEOUT_MS = IMAGE_TIMEOUTS.totalMs + STORAGE_TIMEOUTS.callMs + REQUEST_TIMEOUT_MS

/** A whole approval. Its claim (`CLAIM_TTL_MS`) lasts three times as long, so that no running approval is taken over. */
export const APPROVAL_DEADLINE_MS = 5 * 60_000
/** The transaction of an approval is retried for this time while the database is unreachable. */
export const APPROVAL_COMMIT_MS = 120_000
/** The request that hands over 500 entries, each of which is matched: about 60 s while people are served. */
export const ENTRIES_TIMEOUT_MS = 120_000
/** The request that approves: the deadline, and time to roll back. */
export const APPROVAL_TIMEOUT_MS = APPROVAL_DEADLINE_MS + 60_000
/** All downloads of one approval. Sources and uploads need the rest of its deadline. */
export const APPROVAL_IMAGES_TIMEOUT_MS = 120_000
/** The longest wait of an answer for the clean-up, which continues after it. */
export const CLEAN_UP_WAIT_MS = 3_000
/** Retries of a roll-back that failed, doubled each time. */
export const APPROVAL_RETRIES = { firstMs: 500, longestMs: 30_000 }
/** The pause between two clean-ups. An aborted upload is stored within this time, or never. */
export const RECOVERY_PERIOD_MS = 60 * 60_000
/** The lease of one clean-up, prolonged while it runs. */
export const CLEAN_UP_LEASE_MS = 15_000

/** The erasure of closed accounts. Lease and poll fit into the 20 s within which it goes on after a crash. */
export const ERASURE_TIMEOUTS = {
  pollMs: 3_000,
  leaseMs: 8_000,
  graceMs: 2_000,
  /** No request that began before the account was closed writes after this time. */
  requestsMs: 8_000,
  /** No upload that began before the account was closed is stored after this time. */
  uploadsMs: 60_000,
}

/** The background writer. Lease and poll fit into the 20 s within which another instance goes on after a crash. */
export const WRITER_TIMEOUTS = {
  pollMs: 3_000,
  leaseMs: 15_000,
  /** The reading of one batch ends after this time, and then the writing of the entries that were read last. */
  workMs: 10_000,
  /** All downloads of one decision. */
  imagesMs: IMAGE_TIMEOUTS.totalMs,
  /** The time for a running decision after a stop, inside `CLOSE_TIMEOUT_MS`. */
  graceMs: 5_000,
}
/** The walks of sources: another instance goes on with one within 20 s. The grace for a page lies inside `CLOSE_TIMEOUT_MS`. */
export const SYNC_TIMEOUTS = {
  pollMs: 3_000,
  leaseMs: 15_000,
  graceMs: 5_000,
  /** The pause before a page that could not be read is tried again: a stop takes effect in between. */
  pauseMs: 2_000,
}
/** The writer's wait for the turn of a record, which the announcement of a decision holds for some milliseconds. */
export const WRITER_MAX_WAIT_MS = 10_000
/** A count of the conflicts of one stage and source is reused for this time, unless a conflict has changed. */
export const CONFLICT_COUNTS_EVERY_MS = 1_000
