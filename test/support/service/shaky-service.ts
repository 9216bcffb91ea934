import { startDatabaseProxy } from '../processes/database-proxy.ts'
import { closeAtEnd } from './close-at-end.ts'
import { startService } from './start-service.ts'

/** Starts a service whose database can be cut off. */
async function startShakyService(options: Omit<Parameters<typeof startService>[0], 'mongodbUri'> = {}) {
  const database = await startDatabaseProxy()
  const service = await startService({ ...options, mongodbUri: database.uri })
  return {
    ...service,
    database,
    async close() {
      database.restore()
      await service.close()
      await database.close()
    },
  }
}

export const useShakyService = closeAtEnd(startShakyService)
