import { freePort } from './free-port.ts'
import { startProgram } from './start-program.ts'
import { testProgram } from './test-programs.ts'

export type SpawnedService = Awaited<ReturnType<typeof spawnService>>

/**
 * Starts the built service as a process of its own. Its environment has `env`, and the paths where it finds programs and
 * caches.
 */
export async function spawnService(env: Record<string, string>, main = testProgram('lib/main')) {
  const port = env.PORT ?? String(await freePort())
  const { PATH = '', HOME = '', MONGOD_BINARY = '', XDG_CACHE_HOME = '' } = process.env
  const { child, ended, text } = startProgram(process.execPath, [main], {
    cwd: process.cwd(),
    env: { PATH, HOME, MONGOD_BINARY, XDG_CACHE_HOME, PORT: port, ...env },
  })
  const baseUrl = `http://127.0.0.1:${port}`

  return {
    child,
    baseUrl,
    output: text,
    /** Resolves when it answers requests; rejects with its output when it ends before. */
    async ready() {
      while (child.exitCode === null && child.signalCode === null) {
        const isUp = await fetch(`${baseUrl}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
        if (isUp) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const { printed } = await ended
      throw new Error(`the service ended before it was ready:\n${printed}`)
    },
    /** Sends a signal and resolves with the exit code, null when the signal ended it. */
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      return (await ended).code
    },
  }
}
