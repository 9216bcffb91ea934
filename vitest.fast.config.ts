import { defineConfig, mergeConfig } from 'vitest/config'
import { SLOW_FILES } from './test/support/slow-files-first.ts'
import all from './vitest.config.ts'

export default mergeConfig(all, defineConfig({ test: { exclude: SLOW_FILES } }))
