import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that start processes, browsers or databases of their own, wait for outages or other limits of time, or run for long; the longest first. */
const SLOW_PATHS = [
  'test/container/image.faults.test.ts',
  'test/faults/batch-writer-ended.faults.test.ts',
  'test/console/conflicts.browser.test.ts',
  'test/lib/ops/prepare.faults.test.ts',
  'test/client/live-discussion.unit.test.ts',
  'test/console/requests.browser.test.ts',
  'test/faults/database-outage.faults.test.ts',
  'test/console/game.browser.test.ts',
  'test/faults/two-instances.faults.test.ts',
  'test/client/package.faults.test.ts',
  'test/faults/service-killed.faults.test.ts',
  'test/lib/infrastructure/embedded-mongo/',
  'test/faults/',
  'test/console/',
  'test/lib/ops/',
  'test/client/service.faults.test.ts',
  'test/lib/domain/requests/',
  'test/architecture/answers-as-documented.test.ts',
  'test/architecture/long-texts.test.ts',
  'test/realtime/',
  'test/lib/domain/conflicts/decision-races.test.ts',
  'test/lib/domain/conflicts/writer/',
  'test/functions/requests/',
  'test/functions/auth/',
  'test/lib/domain/catalogue/characters/',
  'test/lib/infrastructure/events/',
  'test/lib/ops/seed/',
  'test/lib/domain/auth/',
  'test/lib/infrastructure/db/',
  'test/lib/domain/notifications/',
  'test/lib/web/http/unread-answers.unit.test.ts',
  'test/lib/main.faults.test.ts',
  'test/lib/infrastructure/storage/s3-storage.test.ts',
  'test/lib/web/http/listen.faults.test.ts',
  'test/lib/infrastructure/sources/',
  'test/functions/asyncapi.json.get.test.ts',
  'test/functions/readyz.get.test.ts',
  'test/container/',
]

export const SLOW_FILES = SLOW_PATHS.map((path) => (path.endsWith('/') ? `${path}**` : path))

/** Its place among the slow ones; the others follow, the largest first. */
function rank(moduleId: string): number {
  const file = relative(process.cwd(), moduleId)
  const place = SLOW_PATHS.findIndex((path) => file.startsWith(path))
  return place === -1 ? SLOW_PATHS.length + 1 / statSync(moduleId).size : place
}

/** Begins with what takes long, so that the run does not end with one worker at work. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId))
  }
}
