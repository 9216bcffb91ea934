import type { ConflictsDeps } from '../conflicts/deps.ts'
import type { TakeDeps } from '../conflicts/intake/take-entries.ts'
import type { BatchWriter } from '../conflicts/writer/batch-writer.ts'

export interface SyncDeps extends ConflictsDeps {
  batchWriter: Pick<BatchWriter, 'wake'>
}

export type WalkDeps = TakeDeps & Pick<SyncDeps, 'config' | 'sources' | 'clock'>
