import { freePort } from '../processes/free-port.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService, type TestService } from '../service/start-service.ts'

/** A service whose console may change things: its address is known before it starts, as that of an installation is. */
export async function startConsole(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const port = await freePort()
  return startService({ ...options, env: { PORT: String(port), ...options.env } })
}

export const useConsoleService = closeAtEnd(startConsole)
