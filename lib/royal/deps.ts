import type { Database } from '../db/connect.ts'
import type { RecentlySeenGames } from './known-games.ts'

export interface RoyalDeps {
  db: Database
  recentlySeenGames: RecentlySeenGames
}
