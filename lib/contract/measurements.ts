import { z } from 'zod'
import { IsoDate } from './ids.ts'
import { Source } from './sources.ts'

const rate = z.number().nonnegative()
const count = z.int().nonnegative()

export const Health = z.object({ status: z.literal('ok') })
export type Health = z.infer<typeof Health>

/** The state of a source. It is `paused` until a time after failures, or when the source requests that. */
export const SourceState = z.object({
  source: Source,
  state: z.enum(['off', 'on', 'paused']),
  until: IsoDate.nullable(),
})
export type SourceState = z.infer<typeof SourceState>

/** Measurements since the previous sample. */
export const OperationsSample = z.object({
  at: IsoDate,
  requestsPerSecond: rate,
  /** The 95th percentile of requests in milliseconds; null without requests. */
  p95Ms: rate.nullable(),
  refusalsPerSecond: rate,
  errorsPerSecond: rate,
  eventsPerSecond: rate,
  /** The 99th percentile, in milliseconds. */
  eventLoopDelayMs: rate,
  memoryBytes: count,
})
export type OperationsSample = z.infer<typeof OperationsSample>

/** The result of one check of the installation. `text` says what to do where it is not `ok`. */
export const Finding = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  text: z.string(),
})
export type Finding = z.infer<typeof Finding>

/** How a request of `npm run doctor` arrived at the service. */
export const Probe = z.object({
  version: z.string(),
  trustProxy: z.int(),
  /** The `X-Forwarded-For` of the request. */
  forwardedFor: z.string().nullable(),
  /** True while the change stream is read without a lag. */
  isFeedLive: z.boolean(),
})
export type Probe = z.infer<typeof Probe>

export const Operations = z.object({
  ...OperationsSample.shape,
  isReady: z.boolean(),
  version: z.string(),
  uptimeSeconds: rate,
  heapUsedBytes: count,
  sockets: z.array(z.object({ namespace: z.string(), open: count })),
  routes: z.array(z.object({ method: z.string(), route: z.string(), requestsPerSecond: rate, p95Ms: rate })),
  events: z.array(z.object({ event: z.string(), perSecond: rate })),
  /** Queued decisions; null while the database does not answer. */
  queuedDecisions: z.array(z.object({ source: Source, queued: count })).nullable(),
  /** Approvals since the start by result. */
  approvals: z.array(z.object({ result: z.string(), total: count })),
  sources: z.array(SourceState),
  /** The checks of `npm run doctor` that change nothing. */
  checks: z.array(Finding),
  /** The samples of the last ten minutes, the oldest first. */
  history: z.array(OperationsSample),
})
export type Operations = z.infer<typeof Operations>
