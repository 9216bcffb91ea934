import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from './test/support/slow-files-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    sequence: { sequencer: SlowFilesFirst },
    pool: 'forks',
    // A process loads the service once. Two cores carry five: the long tests wait for processes that start, end and hang.
    isolate: false,
    maxWorkers: 5,
    // No test is about how fast the machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
