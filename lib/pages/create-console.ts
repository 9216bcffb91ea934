import type { ConsoleFiles, ConsolePages } from '../http/function-deps.ts'
import { loadConsole } from './load-console.ts'

/** Keeps what the build left of the console. A failed read is tried again with the next request. */
export function createConsole(): ConsolePages {
  let loading: Promise<ConsoleFiles> | undefined

  return {
    files() {
      loading ??= loadConsole().catch((error: unknown) => {
        loading = undefined
        throw error
      })
      return loading
    },
  }
}
