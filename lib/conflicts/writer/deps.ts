import type { Failpoint } from '../../concurrency/failpoint.ts'
import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Database } from '../../db/connect.ts'
import type { Emitter } from '../../emitter.ts'
import type { Feed } from '../../events/feed.ts'
import type { Images } from '../../images/images.ts'
import type { Logger } from '../../observability/log.ts'
import type { Sources } from '../../sources/sources.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ConflictReads } from '../conflict-reads.ts'

export interface WriterDeps {
  db: Database
  log: Logger
  clock: () => Date
  failpoint: Failpoint
  emit: Emitter
  instance: string
  feed: Pick<Feed, 'answerLost'>
  conflictReads: Pick<ConflictReads, 'counts'>
  queue: KeyedQueue
  sources: Sources
  storage: Storage
  images: Pick<Images, 'copy'>
}
