import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { onReconnect } from './connection.ts'
import { hall } from './hall.ts'
import { notifyError } from './notices.ts'
import type { GameSummary } from './parts/game-row.tsx'

export interface KnownGame extends GameSummary {
  _id: string
  slug: string
}

const games = signal<ReadonlyMap<string, KnownGame | null>>(new Map())
const asked = new Set<string>()

/** Games by their ids as far as they are known; null for one that has left the catalogue. */
export const knownGames = computed(() => games.value)

/** Keeps a game that another request has brought. */
export function noteGame(game: KnownGame): void {
  asked.add(game._id)
  games.value = new Map(games.value).set(game._id, game)
}

/** Proxies refuse longer addresses. */
const IDS_PER_REQUEST = 100

/** Reads the games that are not known yet. A failed read is repeated by the next call. */
export async function readGames(ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !asked.has(id))
  for (const id of missing) asked.add(id)
  const requests: Promise<void>[] = []
  for (let at = 0; at < missing.length; at += IDS_PER_REQUEST) {
    requests.push(readSome(missing.slice(at, at + IDS_PER_REQUEST)))
  }
  await Promise.all(requests)
}

async function readSome(missing: readonly string[]): Promise<void> {
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

/** The games that are known, once those of the ids have been read, too. */
export function useGames(ids: readonly string[]): ReadonlyMap<string, KnownGame | null> {
  useEffect(() => {
    const read = () => void readGames(ids).catch(notifyError)
    read()
    return onReconnect(read)
  }, [ids.join()])
  return knownGames.value
}
