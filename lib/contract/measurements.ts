import { z } from 'zod'
import { IsoDate } from './ids.ts'
import { Source } from './sources.ts'

const rate = z.number().nonnegative()
const count = z.int().nonnegative()

/** How one source is reached: `paused` after failures or on its own request, until a time. */
export const SourceState = z.object({
  source: Source,
  state: z.enum(['off', 'on', 'paused']),
  until: IsoDate.nullable(),
})
export type SourceState = z.infer<typeof SourceState>

/** The measurements of one moment, over the seconds since the measurement before. */
export const OperationsSample = z.object({
  at: IsoDate,
  requestsPerSecond: rate,
  /** 95 of 100 requests took no longer, in milliseconds; null while there are none. */
  p95Ms: rate.nullable(),
  refusalsPerSecond: rate,
  errorsPerSecond: rate,
  eventsPerSecond: rate,
  /** The 99th percentile, in milliseconds. */
  eventLoopDelayMs: rate,
  memoryBytes: count,
})
export type OperationsSample = z.infer<typeof OperationsSample>

export const Operations = z
  .object({
    ...OperationsSample.shape,
    isReady: z.boolean(),
    version: z.string(),
    uptimeSeconds: rate,
    heapUsedBytes: count,
    sockets: z.array(z.object({ namespace: z.string(), open: count })),
    routes: z.array(z.object({ method: z.string(), route: z.string(), requestsPerSecond: rate, p95Ms: rate })),
    events: z.array(z.object({ event: z.string(), perSecond: rate })),
    /** Decisions that wait for the writer; null while the database does not answer. */
    queuedDecisions: z.array(z.object({ source: Source, queued: count })).nullable(),
    /** Approvals since the start by how they ended. */
    approvals: z.array(z.object({ result: z.string(), total: count })),
    sources: z.array(SourceState),
    /** The samples of the last ten minutes, the oldest first. */
    history: z.array(OperationsSample),
  })
  .meta({ id: 'Operations' })
export type Operations = z.infer<typeof Operations>
