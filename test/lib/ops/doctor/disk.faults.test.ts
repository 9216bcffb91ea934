import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freePort } from '../../../support/processes/free-port.ts'
import { newDatabaseUri } from '../../../support/service/database-pool.ts'
import { findProgram } from '../../../support/tools/find-program.ts'

const DIST = fileURLToPath(new URL('../../../../dist/lib', import.meta.url))

// Other systems allow only administrators to mount a disk.
const unshare = await findProgram(['unshare'], ['-rm', 'true'])
const onLinux = it.runIf(unshare)

/** Runs a built program with a disk of its own at /mnt, whose size and state `prepare` may change. */
async function runOnDisk(program: string, { size, prepare = ':' }: { size: string; prepare?: string }, env = {}) {
  const port = await freePort()
  return await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const script = `mount -t tmpfs -o size=${size} none /mnt && ${prepare}; exec "${process.execPath}" "${DIST}/${program}.js"`
    const { PATH = '', HOME = '', XDG_CACHE_HOME = '' } = process.env
    const options = { env: { PATH, HOME, XDG_CACHE_HOME, DATA_DIR: '/mnt/data', PORT: String(port), ...env } }
    execFile(unshare ?? '', ['-rm', 'sh', '-c', script], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

onLinux.each([
  [
    'read-only',
    { size: '64m', prepare: 'mkdir /mnt/data && mount -o remount,ro /mnt' },
    /EROFS: read-only file system/,
  ],
  ['full', { size: '64m', prepare: 'head -c 80m /dev/zero >/mnt/fill 2>/dev/null' }, /ENOSPC: no space left on device/],
])('a start on a %s disk is refused in one sentence', async (_, disk, reason) => {
  const { code, stderr } = await runOnDisk('main', disk)
  expect({ code, lines: stderr.trim().split('\n') }).toEqual({ code: 1, lines: [expect.stringMatching(reason)] })
  expect(stderr).toMatch(/^DATA_DIR cannot be written: /)
})

onLinux.each([
  ['100m', 'rw', /^fail {2}disk: \d+ MB are free in DATA_DIR .*: make room/m],
  ['1g', 'rw', /^warn {2}disk: \d+ MB are free/m],
  ['4g', 'rw', /^ok {4}disk: \d+ MB are free/m],
  ['4g', 'ro', /^fail {2}disk: DATA_DIR cannot be written: EROFS: read-only file system/m],
])('a disk of %s that is mounted %s is judged', async (size, mode, line) => {
  const env = { MONGODB_URI: newDatabaseUri(), VNDB_API_URL: 'http://127.0.0.1:1' }
  const prepare = `mkdir /mnt/data && mount -o remount,${mode} /mnt`
  const { stdout } = await runOnDisk('ops/commands/doctor-command', { size, prepare }, env)
  expect(stdout).toMatch(line)
})
