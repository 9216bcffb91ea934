import { expect, onTestFinished, test, vi } from 'vitest'
import { startDeadline } from '#lib/infrastructure/concurrency/deadline'

test('many of one parent, and many who listen to one, are no leak', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const parent = new AbortController()
  const deadlines = Array.from({ length: 30 }, () => startDeadline(60_000, parent.signal))
  for (const [index, { signal }] of deadlines.entries()) {
    for (let listeners = 0; listeners <= index; listeners += 1) signal.addEventListener('abort', () => undefined)
  }
  // Warnings are given in a later turn.
  await new Promise((resolve) => setImmediate(resolve))

  expect(warned).not.toHaveBeenCalled()
  for (const { clear } of deadlines) clear()
})
