import type { ConflictsApplied } from '#lib/contract/namespaces/conflicts'
import type { WriterProgram } from './run-writer.ts'
import { startTestProgram } from './test-programs.ts'

export type SpawnedWriter = ReturnType<typeof spawnWriter>

export function spawnWriter(program: WriterProgram, env: Record<string, string>) {
  const started = startTestProgram('run-writer', program, env)
  return {
    ...started,
    /** Entries of the batches that it announced so far. */
    applied: () =>
      Array.from(started.text().matchAll(/^applied (.+)$/gm)).flatMap(([, json = '']) => {
        const { externalIds }: ConflictsApplied = JSON.parse(json)
        return externalIds
      }),
  }
}
