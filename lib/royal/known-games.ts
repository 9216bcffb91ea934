import { LRUCache } from 'lru-cache'

/** Ids of games that were in the catalogue when they were last looked up. They foretell an answer, and never replace it. */
export type KnownGames = LRUCache<string, true>

export const createKnownGames = (): KnownGames => new LRUCache({ max: 20_000 })
