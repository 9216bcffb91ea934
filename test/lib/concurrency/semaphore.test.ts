import { expect, test } from 'vitest'
import { createSemaphore } from '../../../lib/concurrency/semaphore.ts'

const never = new AbortController().signal

/** Work that ends when it is told to, and what of it has begun. */
function openWork() {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const work = (number: number) => () => {
    begun.push(number)
    return new Promise<number>((resolve) => ends.set(number, () => resolve(number)))
  }
  return { begun, work, end: (number: number) => ends.get(number)?.() }
}

test('so much runs at once, and the rest in order of arrival', async () => {
  const slots = createSemaphore(2)
  const { begun, work, end } = openWork()
  const results = [1, 2, 3, 4].map((number) => slots.run(never, work(number)))

  await expect.poll(() => begun).toEqual([1, 2])
  end(2)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  end(3)
  await expect.poll(() => begun).toEqual([1, 2, 3, 4])
  end(1)
  end(4)
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
})

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

test('nothing begins for a signal that is over', async () => {
  const { begun, work } = openWork()

  await expect(createSemaphore(1).run(AbortSignal.abort('over'), work(1))).rejects.toBe('over')
  expect(begun).toEqual([])
})
