import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawnService } from '../support/processes/spawn-service.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gamehall-main-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test.each([
  ['', []],
  ['images.test:9000,[::1]:9001', [['images.test:9000', '[::1]:9001']]],
])(
  'a start with IMAGE_FETCH_ALLOW=%s warns of what it admits',
  async (allow, expected) => {
    const service = await spawnService({ MONGODB_URI: newDatabaseUri(), DATA_DIR: dataDir, IMAGE_FETCH_ALLOW: allow })
    await service.ready()
    await service.end('SIGTERM')

    const warnings = Array.from(service.output().matchAll(/^\{.*IMAGE_FETCH_ALLOW.*$/gm), ([line]) => JSON.parse(line))
    expect(warnings.map(({ hosts }) => hosts)).toEqual(expected)
    for (const { level } of warnings) expect(level).toBe('warn')
  },
  120_000,
)
