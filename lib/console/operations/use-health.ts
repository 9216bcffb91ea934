import { useEffect, useState } from 'preact/hooks'
import { hall, settle } from '../hall.ts'
import { refreshEvery } from '../refresh.ts'

export type Health = 'unknown' | 'ready' | 'no-database' | 'unreachable'

/** Together below 5 s, within which an outage shows; the service gives up on its database after 2.5 s. */
const EVERY_MS = 1_500
const TIMEOUT_MS = 3_000

async function readHealth(): Promise<Health> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  // A timeout is thrown as it is.
  const answer = await settle(hall.call('GET /readyz', { attempts: 1, signal })).catch(() => undefined)
  if (answer?.ok) return 'ready'
  return answer?.error.body ? 'no-database' : 'unreachable'
}

/** Whether the service and its database answer, asked anew every moment. */
export function useHealth(): Health {
  const [health, setHealth] = useState<Health>('unknown')
  useEffect(() => {
    const read = async () => setHealth(await readHealth())
    void read()
    return refreshEvery(EVERY_MS, read)
  }, [])
  return health
}
