import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Ask = (question: string, value?: unknown) => Promise<number>

export interface Child {
  ask: Ask
  stop(): Promise<void>
}

/** Starts a file of this folder as a process of its own and waits until it is ready. */
export async function startChild(file: string, env: Record<string, string> = {}): Promise<Child> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const answer = () =>
    new Promise<number>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${file} ended with ${code}`))
      child.once('exit', onExit)
      child.once('message', (message) => {
        child.off('exit', onExit)
        resolve(Number(message))
      })
    })
  await answer()

  return {
    ask: (question, value) => {
      const answered = answer()
      child.send({ question, value })
      return answered
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

type Answers = Record<string, (value: unknown) => number | Promise<number>>

const ANSWERS: Answers = {
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  heap: () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  },
  rss: () => {
    globalThis.gc?.()
    return process.memoryUsage().rss
  },
}

export interface Announcement {
  gameId: string
  events: number
}

/** In such a process: answers the questions above and its own, then says that it is ready. */
export function answerParent(own: Answers): void {
  const answers = { ...ANSWERS, ...own }
  process.on('message', async ({ question, value }: { question: string; value: unknown }) => {
    const answer = answers[question]
    if (answer === undefined) throw new Error(`nobody answers ${question}`)
    process.send?.(await answer(value))
  })
  process.send?.(0)
}
