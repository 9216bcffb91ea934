import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { TestService } from '../service/start-service.ts'
import { startProgram } from './start-program.ts'

type OnDatabase = Pick<TestService, 'mongodbUri'>

async function runAndDie(program: URL, { mongodbUri }: OnDatabase, words: string[]): Promise<void> {
  const { PATH = '' } = process.env
  const { ended } = startProgram(process.execPath, ['--import', 'tsx', fileURLToPath(program), ...words], {
    cwd: process.cwd(),
    env: { PATH, MONGODB_URI: mongodbUri },
  })
  expect(await ended).toMatchObject({ signal: 'SIGKILL' })
}

interface FatalChange {
  verb: string
  commentId: { toString(): string }
  gameId: { toString(): string }
  userId: string
  /** The step at which the process is killed. */
  step: string
}

/** Lets a process of its own change a comment on the database of a service; resolves when it was killed at its step. */
export const changeAndDie = (
  service: OnDatabase,
  { verb, commentId, gameId, userId, step }: FatalChange,
): Promise<void> =>
  runAndDie(new URL('./change-and-die.ts', import.meta.url), service, [
    verb,
    String(commentId),
    String(gameId),
    userId,
    step,
  ])

/** The same for the reuse of a refresh token. */
export const reuseAndDie = (service: OnDatabase, { refreshToken, step }: { refreshToken: string; step: string }) =>
  runAndDie(new URL('./reuse-and-die.ts', import.meta.url), service, [refreshToken, step])
