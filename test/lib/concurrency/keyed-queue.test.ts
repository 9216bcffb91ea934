import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createInOrder } from '../../../lib/concurrency/keyed-queue.ts'

describe('inOrder', () => {
  it('runs the tasks of one key in the order of the calls, whatever each takes', async () => {
    const inOrder = createInOrder()
    const seen: number[] = []
    const task = (number: number, ms: number) => () => sleep(ms).then(() => seen.push(number))
    await Promise.all([inOrder('a', task(1, 30)), inOrder('a', task(2, 1)), inOrder('a', task(3, 10))])

    expect(seen).toEqual([1, 2, 3])
  })

  it('does not let one key wait for another', async () => {
    const inOrder = createInOrder()
    const slow = inOrder('a', () => sleep(200, 'slow'))
    expect(await Promise.race([slow, inOrder('b', async () => 'quick')])).toBe('quick')
    await slow
  })

  it('goes on after a task that fails, and hands its error to its own caller only', async () => {
    const inOrder = createInOrder()
    const failing = inOrder('a', async () => {
      throw new Error('no')
    })
    const next = inOrder('a', async () => 'yes')

    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })

  it('never runs a task that waited too long, so a queue behind an outage drains at once', async () => {
    const inOrder = createInOrder()
    const seen: string[] = []
    const first = inOrder('a', () => sleep(80).then(() => seen.push('first')))
    const late = inOrder('a', async () => seen.push('late'), { maxWaitMs: 20 })
    const patient = inOrder('a', async () => seen.push('patient'), { maxWaitMs: 5_000 })

    await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await Promise.all([first, patient])
    expect(seen).toEqual(['first', 'patient'])
  })

  it('is idle again, and remembers nothing, when the last task of a key has ended', async () => {
    const inOrder = createInOrder()
    expect(inOrder.isIdle('a')).toBe(true)
    const run = inOrder('a', () => sleep(5))
    expect(inOrder.isIdle('a')).toBe(false)
    await run
    await sleep(0)
    expect(inOrder.isIdle('a')).toBe(true)
  })
})
