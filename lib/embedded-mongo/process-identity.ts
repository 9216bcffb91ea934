import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Tells processes apart although their ids are reused: the answer holds the time the process was started at.
 * @returns undefined when no such process lives (one that only waits to be reaped does not)
 */
export async function findStartToken(pid: number, platform = process.platform): Promise<string | undefined> {
  try {
    return platform === 'linux' ? await readProc(pid) : await askPs(pid)
  } catch {
    return undefined
  }
}

/** The living processes with their command lines, the arguments separated by spaces. */
export async function listProcesses(platform = process.platform): Promise<{ pid: number; commandLine: string }[]> {
  if (platform === 'linux') {
    const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
    const read = async (pid: number) => ({
      pid,
      commandLine: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
    })
    return await Promise.all(pids.map(read))
  }
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 50_000_000 })
  return stdout.split('\n').map((line) => {
    const [pid = '', ...args] = line.trim().split(' ')
    return { pid: Number(pid), commandLine: args.join(' ') }
  })
}

async function readProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ticksAtStart] = [fields[0], fields[19]]
  if (state === 'Z' || state === 'X') return undefined
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
  return `${boot.trim()} ${ticksAtStart}`
}

async function askPs(pid: number): Promise<string | undefined> {
  // Both settings change how the time is written, and two processes must read the same one.
  const { stdout } = await run('env', ['LC_ALL=C', 'TZ=UTC0', 'ps', '-o', 'stat=,lstart=', '-p', String(pid)])
  const [state, ...startedAt] = stdout.trim().split(/\s+/)
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : startedAt.join(' ')
}
