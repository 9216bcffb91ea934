import { defineConfig } from 'vitest/config'
import { builtService } from './test/support/tools/built-service.ts'

/** The time limits of a project, in seconds, and how many processes run its files; projects run one after another. */
const PROJECTS = [
  { name: 'unit', include: '*.unit', limit: 10, workers: 2 },
  { name: 'service', include: '!(*.unit|*.faults|*.browser)', limit: 10, workers: 2 },
  { name: 'browser', include: '*.browser', limit: 60, workers: 2 },
  // They wait for outages, and for processes that start, end and hang.
  { name: 'faults', include: '*.faults', limit: 240, workers: 5 },
]

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    projects: PROJECTS.map(({ name, include, limit, workers }, groupOrder) => ({
      plugins: [builtService],
      test: {
        name,
        include: [`test/**/${include}.test.ts`],
        server: { deps: { external: [/\/dist\/(lib|functions|realtime)\//] } },
        pool: 'forks' as const,
        // A process loads the service once.
        isolate: false,
        maxWorkers: workers,
        sequence: { groupOrder },
        testTimeout: limit * 1_000,
        hookTimeout: limit * 1_000,
        expect: { poll: { timeout: limit * 1_000 } },
      },
    })),
  },
})
