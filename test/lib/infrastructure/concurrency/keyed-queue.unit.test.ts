import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'

it('runs the tasks of one key in the order of the calls, whatever each takes', async () => {
  const queue = createKeyedQueue()
  const seen: number[] = []
  const task = (number: number, ms: number) => () => sleep(ms).then(() => seen.push(number))
  await Promise.all([queue.run('a', task(1, 30)), queue.run('a', task(2, 1)), queue.run('a', task(3, 10))])

  expect(seen).toEqual([1, 2, 3])
})

it('does not let one key wait for another', async () => {
  const queue = createKeyedQueue()
  const slow = queue.run('a', () => sleep(200, 'slow'))
  expect(await Promise.race([slow, queue.run('b', async () => 'quick')])).toBe('quick')
  await slow
})

it('goes on after a task that fails, and hands its error to its own caller only', async () => {
  const queue = createKeyedQueue()
  const failing = queue.run('a', async () => {
    throw new Error('no')
  })
  const next = queue.run('a', async () => 'yes')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

it('never runs a task that waited too long, so a queue behind an outage drains at once', async () => {
  const queue = createKeyedQueue()
  const seen: string[] = []
  const first = queue.run('a', () => sleep(80).then(() => seen.push('first')))
  const late = queue.run('a', async () => seen.push('late'), { maxWaitMs: 20 })
  const patient = queue.run('a', async () => seen.push('patient'), { maxWaitMs: 5_000 })

  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all([first, patient])
  expect(seen).toEqual(['first', 'patient'])
})

it('goes on after a task that never ends', async () => {
  const queue = createKeyedQueue({ taskTimeoutMs: 20 })
  const order: string[] = []
  const never = queue.run('a', () => new Promise<never>(() => order.push('never')))
  const next = queue.run('a', async () => order.push('next'))
  const last = queue.run('a', async () => order.push('last'))

  await Promise.all([next, last])
  expect(order).toEqual(['never', 'next', 'last'])
  expect(await Promise.race([never, sleep(1, 'still running')])).toBe('still running')
})

it('runs no task of somebody who has gone', async () => {
  const queue = createKeyedQueue()
  const seen: string[] = []
  const first = queue.run('a', async () => seen.push('first'))
  const gone = queue.run('a', async () => seen.push('gone'), { isGone: () => seen.length > 0 })
  const next = queue.run('a', async () => seen.push('next'))

  await expect(gone).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all([first, next])
  expect(seen).toEqual(['first', 'next'])
})

it('lets five tasks of one owner wait for a key, and as many again once they had their turns', async () => {
  const queue = createKeyedQueue()
  const ask = (key: string, owner: string) => queue.run(key, async () => key, { owner })
  for (const _round of [1, 2]) {
    const waiting = Array.from({ length: 5 }, () => ask('a', 'one'))
    await expect(ask('a', 'one')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 1 } })
    expect(await Promise.all([ask('a', 'two'), ask('b', 'one'), ...waiting])).toHaveLength(7)
  }
})
