import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface CommandEnd {
  code: number
  stdout: string
  stderr: string
}

/** Runs a file of `lib/ops` as a process of its own, with nothing in its environment but what is given and where to find things. */
export function runCommand(file: string, args: string[], env: Record<string, string>): Promise<CommandEnd> {
  const path = fileURLToPath(new URL(`../../../lib/ops/commands/${file}`, import.meta.url))
  const { PATH = '', HOME = '' } = process.env

  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', path, ...args],
      { env: { PATH, HOME, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
