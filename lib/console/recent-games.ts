import type { GameSummary } from './parts/game-row.tsx'

export interface RecentGame extends GameSummary {
  _id: string
  slug: string
}

const KEY = 'gamehall-recent-games'
const MOST = 12

const isRecent = (value: unknown): value is RecentGame =>
  typeof value === 'object' && value !== null && '_id' in value && 'slug' in value && 'name' in value

/** The games whose discussions were opened last in this browser, the last one first. */
export function readRecentGames(): readonly RecentGame[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

/** Remembers that a game's discussion was opened. */
export function rememberGame({ _id, slug, name, cover, type, first_release }: RecentGame): void {
  const others = readRecentGames().filter((game) => game._id !== _id)
  const games = [{ _id, slug, name, cover, type, first_release }, ...others].slice(0, MOST)
  localStorage.setItem(KEY, JSON.stringify(games))
}
