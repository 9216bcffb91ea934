import type { CallInput } from '../../client/index.ts'
import { reload, useConnection, useQuery } from '../parts/query.tsx'

const EVERY_MS = 60_000

/** The user's own requests, read again when a notification says that one was decided. */
export function useMyRequests(query: NonNullable<CallInput<'GET /requests/mine'>['query']>) {
  useConnection('/notifications', (socket) => {
    socket.on('notification:new', ({ notification }) => {
      if (notification.type === 'request-decided') void reload('GET /requests/mine')
    })
  })
  return useQuery('GET /requests/mine', { query }, { everyMs: EVERY_MS })
}
