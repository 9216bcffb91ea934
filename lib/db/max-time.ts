/** Work in a turn is bounded, so that a slow database holds up one request and not the queue behind it. */
export const MAX_TIME_MS = 2_000
