import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findProgram } from './find-program.ts'
import { provideNginx } from './provide-nginx.ts'

const execute = promisify(execFile)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gamehall-programs-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it('finds an nginx on PATH as a path that starts without any environment', async () => {
  const nginx = join(folder, 'nginx')
  await symlink(await provideNginx(), nginx)
  vi.stubEnv('PATH', ['/nowhere', relative(process.cwd(), folder), process.env.PATH].join(delimiter))

  expect(await provideNginx()).toBe(nginx)
  await execute(nginx, ['-v'], { env: {} })
})

it('passes over a program that does not run', async () => {
  await writeFile(join(folder, 'chromium'), '#!/bin/sh\nexit 1\n')
  await symlink(process.execPath, join(folder, 'chrome'))
  await chmod(join(folder, 'chromium'), 0o755)
  vi.stubEnv('PATH', folder)

  expect(await findProgram(['chromium', 'chrome'], ['--version'])).toBe(join(folder, 'chrome'))
  expect(await findProgram(['chromium'], ['--version'])).toBeUndefined()
})
