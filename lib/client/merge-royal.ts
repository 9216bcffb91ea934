import { ROYAL_GAMES_LIMIT } from '../contract/limits.ts'

export type RoyalOperation =
  | { event: 'royal:add'; payload: { gameIds: string[]; position: 'start' | 'end' } }
  | { event: 'royal:remove'; payload: { gameIds: string[] } }
  | { event: 'royal:set'; payload: { gameIds: string[] } }
  | { event: 'royal:move'; payload: { gameId: string; before: string | null } }

const lower = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

function moveGame(list: readonly string[], gameId: string, before: string | null): readonly string[] {
  if (!list.includes(gameId) || gameId === before) return list
  const rest = list.filter((id) => id !== gameId)
  const at = before === null ? -1 : rest.indexOf(before)
  return at === -1 ? [...rest, gameId] : [...rest.slice(0, at), gameId, ...rest.slice(at)]
}

/** Predicts the list that the service will store, except for games that do not exist. */
export function applyOperation(list: readonly string[], { event, payload }: RoyalOperation): readonly string[] {
  switch (event) {
    case 'royal:add': {
      const listed = new Set(list)
      const fresh = lower(payload.gameIds)
        .filter((id) => !listed.has(id))
        .slice(0, ROYAL_GAMES_LIMIT - list.length)
      return payload.position === 'start' ? [...fresh, ...list] : [...list, ...fresh]
    }
    case 'royal:remove': {
      const removed = new Set(lower(payload.gameIds))
      return list.filter((id) => !removed.has(id))
    }
    case 'royal:set':
      return lower(payload.gameIds)
    case 'royal:move':
      return moveGame(list, payload.gameId.toLowerCase(), payload.before?.toLowerCase() ?? null)
  }
}

export const withPending = (stored: readonly string[], pending: readonly RoyalOperation[]): readonly string[] =>
  pending.reduce(applyOperation, stored)
