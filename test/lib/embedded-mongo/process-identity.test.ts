import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { findStartToken, listProcesses } from '../../../lib/embedded-mongo/process-identity.ts'
import { listOnPath } from '../../../lib/system/list-on-path.ts'

const WAIT = 30_000

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function spawnShell(script: string): Promise<number> {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const [output] = await once(child.stdout, 'data')
  return Number(output)
}

const hasPs = (await listOnPath('ps', process.env.PATH ?? '')).length > 0
/** The system's own way, and beside /proc the way of ps, which is that of systems without /proc. */
const platforms = new Set([process.platform, ...(hasPs ? ['darwin' as const] : [])])

for (const platform of platforms) {
  it(`gives a process one token for its whole life (${platform})`, async () => {
    const pid = await spawnShell('echo $$; exec sleep 120')
    const token = await findStartToken(pid, platform)
    expect(token).toMatch(/\d/)
    expect(await findStartToken(pid, platform)).toBe(token)
    // The first process of the system is older than any second that the two could share.
    expect(await findStartToken(1, platform)).not.toBe(token)

    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await findStartToken(pid, platform)).toBeUndefined(), WAIT)
  })

  it(`takes a process that only waits to be reaped for gone (${platform})`, async () => {
    const pid = await spawnShell('true & echo $!; exec sleep 120')
    await vi.waitFor(async () => expect(await findStartToken(pid, platform)).toBeUndefined(), WAIT)
  })

  it(`lists processes with their arguments (${platform})`, async () => {
    const pid = await spawnShell('echo $$; exec sleep 120.25')
    await vi.waitFor(async () => {
      const found = (await listProcesses(platform)).find((listed) => listed.pid === pid)
      expect(found?.commandLine.trim()).toBe('sleep 120.25')
    }, WAIT)
  })
}
