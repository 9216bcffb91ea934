import { expect } from 'vitest'
import type { TestService } from '../service/start-service.ts'
import { startProgram } from './start-program.ts'
import { testProgram } from './test-programs.ts'

type OnDatabase = Pick<TestService, 'mongodbUri'>

async function runAndDie(program: string, { mongodbUri }: OnDatabase, words: string[]): Promise<void> {
  const { PATH = '' } = process.env
  const { ended } = startProgram(process.execPath, [program, ...words], {
    cwd: process.cwd(),
    env: { PATH, MONGODB_URI: mongodbUri },
  })
  expect(await ended).toMatchObject({ signal: 'SIGKILL' })
}

interface FatalChange {
  verb: string
  /** Of a comment, or of an entry of VNDB. */
  id: { toString(): string }
  gameId: { toString(): string }
  userId: string
  /** The step at which the process is killed. */
  step: string
}

/** Lets a process of its own change a comment or a conflict on the database of a service; resolves when it was killed at its step. */
export const changeAndDie = (service: OnDatabase, { verb, id, gameId, userId, step }: FatalChange): Promise<void> =>
  runAndDie(testProgram('change-and-die'), service, [verb, String(id), String(gameId), userId, step])

/** The same for the reuse of a refresh token. */
export const reuseAndDie = (service: OnDatabase, { refreshToken, step }: { refreshToken: string; step: string }) =>
  runAndDie(testProgram('reuse-and-die'), service, [refreshToken, step])
