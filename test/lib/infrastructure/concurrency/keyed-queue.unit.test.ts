import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'

it('the queue continues after a task that fails, whose error only its caller gets', async () => {
  const queue = createKeyedQueue()
  const failing = queue.run('a', async () => {
    throw new Error('no')
  })
  const next = queue.run('a', async () => 'yes')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

it('a task does not wait for tasks of another key', async () => {
  const queue = createKeyedQueue()
  let release = () => {}
  const held = queue.run('one', () => new Promise<void>((resolve) => (release = resolve)))

  expect(await queue.run('two', async () => 'done')).toBe('done')
  release()
  await held
})

it('a task that waited too long never runs, so a queue drains at once after an outage', async () => {
  const queue = createKeyedQueue()
  const seen: string[] = []
  const first = queue.run('a', () => sleep(80).then(() => seen.push('first')))
  const late = queue.run('a', async () => seen.push('late'), { maxWaitMs: 20 })
  const patient = queue.run('a', async () => seen.push('patient'), { maxWaitMs: 5_000 })

  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all([first, patient])
  expect(seen).toEqual(['first', 'patient'])
})

it('the queue continues after a task that never ends', async () => {
  const queue = createKeyedQueue({ taskTimeoutMs: 20 })
  const order: string[] = []
  const never = queue.run('a', () => new Promise<never>(() => order.push('never')))
  const next = queue.run('a', async () => order.push('next'))
  const last = queue.run('a', async () => order.push('last'))

  await Promise.all([next, last])
  expect(order).toEqual(['never', 'next', 'last'])
  expect(await Promise.race([never, sleep(1, 'still running')])).toBe('still running')
})
