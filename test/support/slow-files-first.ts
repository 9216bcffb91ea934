import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that start processes, containers, browsers or embedded databases of their own, wait for outages, or run for long. */
const SLOW_PATHS = [
  'test/architecture/answers-as-documented.test.ts',
  'test/client/live-discussion.test.ts',
  'test/client/package.test.ts',
  'test/client/service.test.ts',
  'test/console/',
  'test/container/',
  'test/faults/',
  'test/lib/auth/database-unreachable.test.ts',
  'test/lib/conflicts/decision-races.test.ts',
  'test/lib/conflicts/writer/load-decisions.test.ts',
  'test/lib/embedded-mongo/',
  'test/lib/http/listen.test.ts',
  'test/lib/main.test.ts',
  'test/lib/ops/',
  'test/lib/requests/approval/approve.test.ts',
  'test/lib/seed/',
  'test/lib/storage/s3-storage.test.ts',
]

export const SLOW_FILES = SLOW_PATHS.map((path) => (path.endsWith('/') ? `${path}**` : path))

function rank(moduleId: string): number {
  const file = relative(process.cwd(), moduleId)
  const isSlow = SLOW_PATHS.some((path) => file.startsWith(path))
  return (isSlow ? Number.MAX_SAFE_INTEGER / 2 : 0) + statSync(moduleId).size
}

/** Begins with what takes long, so that the run does not end with one worker at work. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(b.moduleId) - rank(a.moduleId))
  }
}
