import type { ConflictsDeps } from '../conflicts/deps.ts'
import type { BatchWriter } from '../conflicts/writer/batch-writer.ts'

export interface SyncDeps extends ConflictsDeps {
  batchWriter: Pick<BatchWriter, 'wake'>
}
