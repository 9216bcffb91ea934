import { afterAll } from 'vitest'

/** The same start for what all tests of a file share: it is closed when they have ended. */
export const closeAtEnd =
  <A extends unknown[], T extends { close(): Promise<unknown> }>(start: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    const started = await start(...args)
    afterAll(() => started.close())
    return started
  }
