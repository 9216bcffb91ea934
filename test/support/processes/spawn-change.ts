import { expect } from 'vitest'
import type { FatalChange } from './change-and-die.ts'
import { startProgram } from './start-program.ts'
import { testProgram } from './test-programs.ts'

/** Lets one process begin changes on a database, in turn; resolves when it was killed with each of them at its step. */
export async function changeAndDie(
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
