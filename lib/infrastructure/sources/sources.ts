import type { Config } from '../../base/config.ts'
import type { Logger } from '../observability/log.ts'
import type { SourceParts } from './entries.ts'
import { createHltb } from './hltb/hltb.ts'
import { createIgdb } from './igdb/igdb.ts'
import { createRetroAchievements } from './retroachievements/retroachievements.ts'
import type { SourceReader } from './source-reader.ts'
import type { TransportOptions } from './transport/client.ts'
import { createVndb } from './vndb/vndb.ts'

export type Sources = { [N in keyof SourceParts]: SourceReader<N> }

interface SourcesOptions extends TransportOptions {
  config: Config
  log: Logger
  clock?: () => Date
}

/** Makes the clients of all sources; those that are not configured refuse each call. */
export function createSources(options: SourcesOptions): Sources {
  return {
    igdb: createIgdb(options),
    vndb: createVndb(options),
    hltb: createHltb(options),
    ra: createRetroAchievements(options),
  }
}
