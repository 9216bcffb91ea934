import { ObjectId } from 'mongodb'
import type { TestService } from './start-service.ts'

const waiting = new WeakMap<object, Map<string, () => void>>()

function watchMarkers({ royal }: TestService['deps']['emit']): Map<string, () => void> {
  const watched = waiting.get(royal)
  if (watched !== undefined) return watched
  const markers = new Map<string, () => void>()
  waiting.set(royal, markers)
  const { hasSubscribers } = royal
  royal.hasSubscribers = (userId) => {
    markers.get(userId)?.()
    return hasSubscribers(userId)
  }
  return markers
}

/** Resolves when a service has handled everything that was written before: changes arrive in the order of the writes. */
export async function untilCaughtUp({ emit, db }: TestService['deps']): Promise<void> {
  const markers = watchMarkers(emit)
  const at = new Date()
  const _id = new ObjectId()
  const marker = _id.toHexString()
  await db.users.insertOne({ _id, userName: marker, email: marker, passwordHash: '', createdAt: at, updatedAt: at })
  // Changes that arrive together with the first marker are handled when the second arrives.
  for (let round = 0; round < 2; round++) {
    const arrived = new Promise<void>((resolve) => markers.set(marker, resolve))
    await db.users.updateOne({ _id }, { $set: { royalGames: Array.from({ length: round + 1 }, () => new ObjectId()) } })
    await arrived
  }
  markers.delete(marker)
  await db.users.deleteOne({ _id })
}
