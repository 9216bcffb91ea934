import { defineConfig, mergeConfig } from 'vitest/config'
import { SLOW_FILES } from './test/support/slow-files-first.ts'
import all from './vitest.config.ts'

// What is left hardly waits: another worker would only load the service once more.
export default mergeConfig(all, defineConfig({ test: { exclude: SLOW_FILES, maxWorkers: 3 } }))
