import { execFile } from 'node:child_process'
import { expect } from 'vitest'
import { testProgram } from './test-programs.ts'

const { PATH = '', HOME = '' } = process.env

/** Starts a command of `lib/ops/commands` as a process of its own, whose environment has little but `env`. */
export function startCommand(name: string, args: string[], env: Record<string, string>) {
  const child = execFile(process.execPath, [testProgram(`lib/ops/commands/${name}`), ...args], {
    env: { PATH, ...env },
  })
  return { child, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

/** The end of a command that refuses: it prints this to standard error and nothing else, exit 1. */
export const refusedWith = (message: string | RegExp) => ({
  code: 1,
  stdout: '',
  stderr: typeof message === 'string' ? message : expect.stringMatching(message),
})

/** Runs a command to its end, with the user's home folder in its environment. */
export const runCommand = (name: string, args: string[], env: Record<string, string>, cwd = process.cwd()) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const path = testProgram(`lib/ops/commands/${name}`)
    execFile(process.execPath, [path, ...args], { cwd, env: { PATH, HOME, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
