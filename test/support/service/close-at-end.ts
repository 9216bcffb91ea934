import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Calls a function when the test has ended; outside of a test, when all tests of the file have. */
export const atEnd = (close: () => unknown) =>
  (TestRunner.getCurrentTest() ? onTestFinished : afterAll)(async () => void (await close()))

/** Makes a start whose result is closed at the end of the test, or of all tests of the file. */
export const closeAtEnd =
  <A extends unknown[], T extends { close(): unknown }>(start: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    const started = await start(...args)
    atEnd(() => started.close())
    return started
  }
