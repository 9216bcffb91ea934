import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, `12 passed, 0 failed`, for whoever reads the log of a machine. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => states.filter((each) => each === state).length

    // A file that could not be read has no tests, and an error outside of any test has no state.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length
    const skipped = count('skipped')
    const line = `${count('passed')} passed, ${count('failed') + broken} failed`
    console.log(skipped === 0 ? line : `${line}, ${skipped} skipped`)
  }
}
