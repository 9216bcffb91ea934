/**
 * Every time budget of the process, in milliseconds. Each follows from one above it: a request must be answered within 3 s
 * even while the database is away, and a stop must end within the 10 s that process managers give.
 */

/** What a request may wait for the database, its session included. The 3 s leave room for the answer itself. */
export const REQUEST_TIMEOUT_MS = 2_500

/**
 * No part of a command may wait longer than a request. To wait for a connection is no outage: that lasts as long as any
 * request.
 */
export const DATABASE_TIMEOUTS = {
  serverSelectionTimeoutMS: 1_500,
  connectTimeoutMS: 1_500,
  waitQueueTimeoutMS: 2_300,
  socketTimeoutMS: REQUEST_TIMEOUT_MS,
  heartbeatFrequencyMS: 1_000,
  minHeartbeatFrequencyMS: 100,
}

/** Work in a turn is bounded below a request, so that a slow database holds up one request and not the queue behind it. */
export const MAX_TIME_MS = 2_000

/** What a turn may take once it has begun, short of a database that hangs: one that is later must not begin. */
export const TURN_MS = 500

/** The wait for a turn, in a queue or at a limit: a request less what the turn itself takes. */
export const MAX_WAIT_MS = REQUEST_TIMEOUT_MS - TURN_MS

/** A refresh answers just before its request is given up, so that no rotated token is lost on the way. */
export const REFRESH_ANSWER_MS = REQUEST_TIMEOUT_MS - 100

/** How long a start waits for its database: an embedded or a composed one may still be starting. */
export const DATABASE_START_MS = 30_000

/** How long a client may take to send a request, head and body, and to read any part of its answer. */
export const CLIENT_TIMEOUT_MS = 30_000

/** Longer than the idle time of the usual proxies, so that it is never this side that closes a connection they reuse. */
export const KEEP_ALIVE_MS = 75_000

/** A stop: what comes after the server, the database included, fits into the rest of 10 s. */
export const CLOSE_TIMEOUT_MS = 8_000
