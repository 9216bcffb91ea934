import { LRUCache } from 'lru-cache'

/** Ids of games that were in the catalogue when they were last looked up. They foretell an answer, and never replace it. */
export type RecentlySeenGames = LRUCache<string, true>

export const createRecentlySeenGames = (): RecentlySeenGames => new LRUCache({ max: 20_000 })
