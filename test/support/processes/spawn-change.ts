import { expect } from 'vitest'
import type { FatalChange } from './change-and-die.ts'
import { startTestProgram } from './test-programs.ts'

/** Starts changes in one process, each stopped at its step; resolves when the process has been killed. */
export async function runChangesUntilKilled(
  own: { MONGODB_URI: string } & Record<string, string>,
  changes: readonly FatalChange[],
): Promise<void> {
  const { signal, printed } = await startTestProgram('change-and-die', changes, own).ended
  expect({ signal, printed }).toEqual({ signal: 'SIGKILL', printed: '' })
}
