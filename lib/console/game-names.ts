import { computed, signal } from '@preact/signals'
import { hall } from './hall.ts'
import type { GameSummary } from './parts/game-row.tsx'

export interface KnownGame extends GameSummary {
  _id: string
  slug: string
}

const games = signal<ReadonlyMap<string, KnownGame | null>>(new Map())
const asked = new Set<string>()

/** Games by their ids as far as they are known; null for one that has left the catalogue. */
export const knownGames = computed(() => games.value)

/** Remembers a game that was read anyway. */
export function noteGame(game: KnownGame): void {
  asked.add(game._id)
  games.value = new Map(games.value).set(game._id, game)
}

/** As many as a royal list has. */
const TAKE = 500

/** Reads the games that are not known yet, in one request. What fails is asked for again the next time. */
export async function readGames(ids: readonly string[]): Promise<void> {
  const missing = ids.filter((id) => !asked.has(id)).slice(0, TAKE)
  if (missing.length === 0) return
  for (const id of missing) asked.add(id)
  try {
    const found = await hall.call('GET /games/by-ids', { query: { _ids: missing.join(',') } })
    const next = new Map(games.peek())
    for (const id of missing) next.set(id, null)
    for (const game of found) next.set(game._id, game)
    games.value = next
  } catch (error) {
    for (const id of missing) asked.delete(id)
    throw error
  }
}
