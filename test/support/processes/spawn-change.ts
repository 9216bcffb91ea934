import { expect } from 'vitest'
import type { FatalChange } from './change-and-die.ts'
import { startProgram } from './start-program.ts'
import { testProgram } from './test-programs.ts'

/** Starts changes in one process, each stopped at its step; resolves when the process has been killed. */
export async function runChangesUntilKilled(
  own: { MONGODB_URI: string } & Record<string, string>,
  changes: readonly FatalChange[],
): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const { ended } = startProgram(process.execPath, [testProgram('change-and-die'), JSON.stringify(changes)], {
    cwd: process.cwd(),
    env: { PATH, HOME, ...own },
  })
  const { signal, printed } = await ended
  expect({ signal, printed }).toEqual({ signal: 'SIGKILL', printed: '' })
}
