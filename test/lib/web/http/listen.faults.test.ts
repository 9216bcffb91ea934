import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { assertPortFree, listen } from '#lib/web/http/listen'
import { spawnService } from '../../../support/processes/spawn-service.ts'
import { startRefusalOf } from '../../../support/tools/errors.ts'

// These tests start a process, and resolve a name that does not exist.

const other = createServer()

const port = await listen(other, { port: 0, host: '127.0.0.1' })
afterAll(() => {
  other.close()
})

it.each([
  () => ({ port, host: '127.0.0.1', name: 'PORT' }),
  () => ({ port: 0, host: '192.0.2.1', name: 'HOST' }),
  () => ({ port: 0, host: 'no-such-host.invalid', name: 'HOST' }),
])('a place that cannot be used is refused in a sentence that names its setting (%#)', async (place) => {
  const { name, ...rest } = place()
  expect(await startRefusalOf(assertPortFree(rest))).toContain(`${name} ${name === 'PORT' ? rest.port : rest.host}`)
})

it('a start on a port in use ends with one line, before a database is started', async () => {
  const service = await spawnService({ PORT: String(port), DATA_DIR: '/nowhere/that/may/be/made' })
  await service.end('SIGCONT')

  expect(service.child.exitCode).toBe(1)
  expect(service.output().trim()).toMatch(/^PORT \d+ is in use on 127\.0\.0\.1, .+$/)
})
