import { type ConsoleFiles, loadConsole } from './load-console.ts'

/** The console's files, read when they are first asked for. */
export interface ConsolePages {
  files(): Promise<ConsoleFiles>
}

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
