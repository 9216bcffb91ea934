import { type ChildProcess, spawn } from 'node:child_process'

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  printed: string
}

export interface Started {
  child: ChildProcess
  text(): string
  printed(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<Ended>
}

/** Starts a program in a process group of its own, so that a test can signal it as a terminal would. */
export function startProgram(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Started {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const watchers = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (const watcher of watchers) watcher()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, printed: text }))
  })

  return {
    child,
    ended,
    text: () => text,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text)
          if (match === null) return
          watchers.delete(look)
          resolve(match)
        }
        watchers.add(look)
        look()
        void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${text}`)), reject)
      }),
  }
}
