import { computed, signal } from '@preact/signals'
import { hall, settle } from './hall.ts'
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

const AT_ONCE = 6

async function readGame(id: string): Promise<KnownGame | null> {
  const answer = await settle(hall.call('GET /games/:idOrSlug', { params: { idOrSlug: id } }))
  if (!answer.ok) {
    if (answer.error.status === 404) return null
    throw answer.error
  }
  const { type = null, first_release = null, cover = null, ...game } = answer.value
  return { ...game, type, first_release, cover }
}

/** Reads the games that are not known yet. What fails is asked for again the next time. */
export async function readGames(ids: readonly string[]): Promise<void> {
  const missing = ids.filter((id) => !asked.has(id))
  for (const id of missing) asked.add(id)
  const queue = [...missing]
  async function work(): Promise<void> {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const game = await readGame(id).catch((error: unknown) => {
        for (const unread of missing) if (!games.peek().has(unread)) asked.delete(unread)
        throw error
      })
      games.value = new Map(games.peek()).set(id, game)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
