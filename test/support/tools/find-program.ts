import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { listOnPath } from '#lib/base/system/list-on-path'

const execute = promisify(execFile)
/** The folders where systems install servers, which an ordinary user's `PATH` lacks. */
const SERVERS = ['/usr/sbin', '/usr/local/sbin'].join(delimiter)

/**
 * Finds the absolute path of the first of these programs that runs with `check`, because tests start it in environments
 * without a `PATH`.
 */
export async function findProgram(names: readonly string[], check: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const path of await listOnPath(name, `${process.env.PATH ?? ''}${delimiter}${SERVERS}`)) {
      const runs = await execute(path, check).then(
        () => true,
        () => false,
      )
      if (runs) return path
    }
  }
  return undefined
}
