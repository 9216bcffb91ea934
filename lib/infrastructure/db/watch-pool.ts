import type { MongoClient } from 'mongodb'

export type PoolCounts = Readonly<Record<'open' | 'inUse' | 'waiting', number>>

export function watchPool(client: MongoClient): PoolCounts {
  const counts = { open: 0, inUse: 0, waiting: 0 }
  const add = (name: keyof PoolCounts, by: 1 | -1) => () => {
    counts[name] += by
  }
  client
    .on('connectionCreated', add('open', 1))
    .on('connectionClosed', add('open', -1))
    .on('connectionCheckOutStarted', add('waiting', 1))
    .on('connectionCheckOutFailed', add('waiting', -1))
    .on('connectionCheckedOut', () => {
      counts.waiting -= 1
      counts.inUse += 1
    })
    .on('connectionCheckedIn', add('inUse', -1))
  return counts
}
