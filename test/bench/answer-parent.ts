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
