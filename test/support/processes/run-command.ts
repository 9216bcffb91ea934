import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs a built command of `lib/ops/commands` as a process of its own, with nothing in its environment but what is given
 * and where to find things.
 */
export function runCommand(name: string, args: string[], env: Record<string, string>, cwd = process.cwd()) {
  const path = fileURLToPath(new URL(`../../../dist/lib/ops/commands/${name}.js`, import.meta.url))
  const { PATH = '', HOME = '' } = process.env

  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [path, ...args], { cwd, env: { PATH, HOME, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
