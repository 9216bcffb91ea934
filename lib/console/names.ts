import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../client/index.ts'
import { onReconnect } from './connection.ts'
import { notifyError } from './notices.ts'
import { useQuery } from './parts/query.tsx'
import { hall, settle } from './session.ts'

export type FoundGame = Answer<'GET /games/search'>['results'][number]

const requested = new Set<string>()

/** The games that were read, by their ids; null for a game that has left the catalogue. */
export const gamesById = signal<ReadonlyMap<string, FoundGame | null>>(new Map())

export function addGame(game: FoundGame): void {
  requested.add(game._id)
  gamesById.value = new Map(gamesById.value).set(game._id, game)
}

/** Proxies refuse longer addresses. */
const IDS_PER_REQUEST = 100

async function readPart(ids: readonly string[]): Promise<void> {
  const answer = await settle(hall.call('GET /games/by-ids', { query: { _ids: ids.join(',') } }))
  if (!answer.ok) {
    for (const id of ids) requested.delete(id)
    throw answer.error
  }
  const missing = ids.map((id) => [id, null] as const)
  const found = answer.value.map((game) => [game._id, game] as const)
  gamesById.value = new Map([...gamesById.peek(), ...missing, ...found])
}

export async function readGames(ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !requested.has(id))
  for (const id of missing) requested.add(id)
  const reads: Promise<void>[] = []
  for (let at = 0; at < missing.length; at += IDS_PER_REQUEST) {
    reads.push(readPart(missing.slice(at, at + IDS_PER_REQUEST)))
  }
  await Promise.all(reads)
}

/** Reads games. Answers true once all names can be drawn: a list waits for that, because a late name moves its text. */
export function useGamesRead(ids: readonly string[]): boolean {
  const key = ids.join()
  const [triedKey, setTriedKey] = useState('')
  useEffect(() => {
    const read = () =>
      void readGames(ids)
        .catch(notifyError)
        .finally(() => setTriedKey(key))
    read()
    return onReconnect(read)
  }, [key])
  return triedKey === key || ids.every((id) => gamesById.value.has(id))
}

export function useGames(ids: readonly string[]): ReadonlyMap<string, FoundGame | null> {
  useGamesRead(ids)
  return gamesById.value
}

export function useUserName(userId: string | null | undefined): string {
  const { answer, error } = useQuery('GET /user/:id', userId ? { params: { id: userId } } : null)
  return answer?.userName ?? (error?.status === 404 ? 'Deleted user' : '…')
}

const platforms = signal<Answer<'GET /platforms'>>([])
let isRead = false

async function readPlatforms(): Promise<void> {
  if (isRead) return
  isRead = true
  const answer = await settle(hall.call('GET /platforms'))
  isRead = answer.ok
  if (answer.ok) platforms.value = answer.value
  else notifyError(answer.error)
}

export function usePlatforms(): Answer<'GET /platforms'> {
  useEffect(() => void readPlatforms(), [])
  return platforms.value
}
