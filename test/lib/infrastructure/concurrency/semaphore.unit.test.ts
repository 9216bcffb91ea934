import { expect, test } from 'vitest'
import { createSemaphore } from '#lib/infrastructure/concurrency/semaphore'

const never = new AbortController().signal

function openWork() {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const work = (number: number) => () => {
    begun.push(number)
    return new Promise<number>((resolve) => ends.set(number, () => resolve(number)))
  }
  return { begun, work, end: (number: number) => ends.get(number)?.() }
}

test('who leaves while waiting is told why and takes no slot', async () => {
  const slots = createSemaphore(1)
  const { begun, work, end } = openWork()
  const leaving = new AbortController()
  const first = slots.run(never, work(1))
  const second = slots.run(leaving.signal, work(2))
  const third = slots.run(never, work(3))

  leaving.abort('enough')
  await expect(second).rejects.toBe('enough')
  end(1)
  await first
  await expect.poll(() => begun).toEqual([1, 3])
  end(3)
  await third
})

test('work that fails gives its slot back', async () => {
  const slots = createSemaphore(1)
  const failing = slots.run(never, async () => {
    throw new Error('no')
  })

  await expect(failing).rejects.toThrow('no')
  expect(await slots.run(never, async () => 'yes')).toBe('yes')
})
