import type { SyncProgram } from './run-sync.ts'
import { startTestProgram } from './test-programs.ts'

export const spawnSync = (program: SyncProgram, env: Record<string, string>) =>
  startTestProgram('run-sync', program, env)
