import type { CommonDeps } from '../../infrastructure/deps.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import type { Pace } from '../../infrastructure/jobs/pace.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import type { ConflictCounts } from './conflict-counts.ts'

export interface ConflictsDeps extends CommonDeps {
  feed: Pick<Feed, 'answerLost'>
  conflictCounts: ConflictCounts
  pace: Pace
  sources: Sources
  images: Images
}
