import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Does this when the test has ended; outside of one, when all tests of the file have. */
export const atEnd = (close: () => unknown) =>
  (TestRunner.getCurrentTest() ? onTestFinished : afterAll)(async () => void (await close()))

/** The same start for what a test, or all of a file, uses: it is closed when they have ended. */
export const closeAtEnd =
  <A extends unknown[], T extends { close(): unknown }>(start: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    const started = await start(...args)
    atEnd(() => started.close())
    return started
  }
