import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { TestService } from '../service/start-service.ts'
import { startProgram } from './start-program.ts'

const PROGRAM = fileURLToPath(new URL('./change-and-die.ts', import.meta.url))

interface FatalChange {
  verb: string
  commentId: { toString(): string }
  gameId: { toString(): string }
  userId: string
  /** The step at which the process is killed. */
  step: string
}

/** Lets a process of its own change a comment on the database of a service; resolves when it was killed at its step. */
export async function changeAndDie(
  { mongodbUri }: Pick<TestService, 'mongodbUri'>,
  { verb, commentId, gameId, userId, step }: FatalChange,
): Promise<void> {
  const { PATH = '' } = process.env
  const { ended } = startProgram(
    process.execPath,
    ['--import', 'tsx', PROGRAM, verb, String(commentId), String(gameId), userId, step],
    { cwd: process.cwd(), env: { PATH, MONGODB_URI: mongodbUri } },
  )
  expect(await ended).toMatchObject({ signal: 'SIGKILL' })
}
