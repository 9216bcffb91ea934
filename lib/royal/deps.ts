import type { Database } from '../db/connect.ts'
import type { Emitter } from '../emitter.ts'
import type { ExistingGames } from '../events/existing-games.ts'
import type { Feed } from '../events/feed.ts'

export interface RoyalDeps {
  db: Database
  instance: string
  feed: Pick<Feed, 'lostAnswers'>
  emit: Emitter
  existingGames: ExistingGames
}
