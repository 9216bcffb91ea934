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

/** Answers the parent process, in a child of a bench: the questions above and `more`. Then reports that it is ready. */
export function answerParent(more: Answers): void {
  const answers = { ...ANSWERS, ...more }
  process.on('message', async ({ question, value }: { question: string; value: unknown }) => {
    const answer = answers[question]
    if (answer === undefined) throw new Error(`nobody answers ${question}`)
    process.send?.(await answer(value))
  })
  process.send?.(0)
}
