import type { DiscussionChange } from './patch-comment.ts'

/** Keeps the changes that come while a request is under way: they belong over its answer. */
export function createChangeLog() {
  const logs = new Set<DiscussionChange[]>()
  return {
    push(change: DiscussionChange) {
      for (const log of logs) log.push(change)
    },
    async during<T>(request: () => Promise<T>): Promise<{ answer: T; since: readonly DiscussionChange[] }> {
      const since: DiscussionChange[] = []
      logs.add(since)
      try {
        return { answer: await request(), since }
      } finally {
        logs.delete(since)
      }
    },
  }
}

export type ChangeLog = ReturnType<typeof createChangeLog>
