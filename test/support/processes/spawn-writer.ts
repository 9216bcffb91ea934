import type { ConflictsApplied } from '../../../lib/contract/namespaces/conflicts.ts'
import type { WriterProgram } from './run-writer.ts'
import { type Started, startProgram } from './start-program.ts'
import { testProgram } from './test-programs.ts'

export interface SpawnedWriter extends Started {
  /** Entries of the batches that it announced so far. */
  applied(): string[]
}

export function spawnWriter(program: WriterProgram, env: Record<string, string>): SpawnedWriter {
  const { PATH = '', HOME = '' } = process.env
  const started = startProgram(process.execPath, [testProgram('run-writer'), JSON.stringify(program)], {
    cwd: process.cwd(),
    env: { PATH, HOME, ...env },
  })
  return {
    ...started,
    applied: () =>
      Array.from(started.text().matchAll(/^applied (.+)$/gm)).flatMap(([, json = '']) => {
        const { externalIds }: ConflictsApplied = JSON.parse(json)
        return externalIds
      }),
  }
}
