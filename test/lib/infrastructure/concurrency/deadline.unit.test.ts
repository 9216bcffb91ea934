import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startDeadline } from '#lib/infrastructure/concurrency/deadline'

test('its signal ends when the time is over, and nothing does once it is cleared', async () => {
  const cleared = startDeadline(1)
  const { signal } = startDeadline(20)
  cleared.clear()

  await once(signal, 'abort')

  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'no answer in time' })
  expect(cleared.signal.aborted).toBe(false)
})

test('it ends with its parent and the reason of that, also one that is over', () => {
  const parent = new AbortController()
  const deadline = startDeadline(60_000, parent.signal)
  parent.abort('enough')
  const late = startDeadline(60_000, parent.signal)

  expect([deadline.signal.reason, late.signal.reason]).toEqual(['enough', 'enough'])
  deadline.clear()
  late.clear()
})

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
