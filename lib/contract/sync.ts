import { z } from 'zod'
import { IsoDate } from './ids.ts'

/** The sources that the service can read by itself. */
export const SyncSource = z.enum(['igdb', 'vndb', 'ra'])
export type SyncSource = z.infer<typeof SyncSource>

const count = z.int().nonnegative()

/** A source with the counts of its last walk. */
export const Sync = z.object({
  source: SyncSource,
  /** True when `SYNC` names the source. */
  isOn: z.boolean(),
  /** `paused` while the source cannot be read. */
  state: z.enum(['idle', 'running', 'paused']),
  startedAt: IsoDate.nullable(),
  finishedAt: IsoDate.nullable(),
  nextAt: IsoDate.nullable(),
  /** The entries that were read, then their counts by outcome. An entry that an admin has decided counts as unchanged. */
  read: count,
  matched: count,
  new: count,
  waiting: count,
  refreshed: count,
  unchanged: count,
  refused: count,
  /** The reason why the walk ended early or is paused. */
  message: z.string().nullable(),
})
export type Sync = z.infer<typeof Sync>

export const SyncList = z.object({ results: z.array(Sync) })

export const SyncParams = z.object({ source: SyncSource })
