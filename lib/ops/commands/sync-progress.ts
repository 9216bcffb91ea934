import type { SyncCount } from '../../infrastructure/db/collections/syncs.ts'

const WIDTH = 24
const LINE_EVERY_MS = 10_000
const SHOWN = ['read', 'matched', 'new', 'waiting', 'refreshed'] as const

/** Without a limit nobody knows how much there is: the mark only moves on. */
const drawBar = (done: number, limit: number | undefined, steps: number) =>
  limit === undefined
    ? `${'-'.repeat(steps % WIDTH)}#`.padEnd(WIDTH, '-')
    : '#'.repeat(Math.min(WIDTH, Math.floor((WIDTH * done) / limit))).padEnd(WIDTH, '-')

/** Shows how far a walk is: a bar on a terminal, elsewhere a line every 10 s. */
export function createProgress(title: string, limit: number | undefined) {
  const { isTTY } = process.stdout
  const startedAt = performance.now()
  let first: number | undefined
  let lineAt = startedAt
  let steps = 0

  return (counts: Record<SyncCount, number>): void => {
    const now = performance.now()
    // A walk that goes on has counts of before.
    first ??= counts.read
    steps += 1
    const perSecond = Math.round((counts.read - first) / Math.max(0.001, (now - startedAt) / 1_000))
    const words = [...SHOWN.map((name) => `${counts[name]} ${name}`), `${perSecond} a second`].join(', ')
    if (isTTY) process.stdout.write(`\r\x1b[K${title} [${drawBar(counts.read - first, limit, steps)}] ${words}`)
    else if (now - lineAt >= LINE_EVERY_MS) {
      lineAt = now
      console.log(`${title}: ${words}`)
    }
  }
}
