import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessAborted } from '#lib/infrastructure/concurrency/unless-aborted'

const reason = new Error('enough')
const endless = () => new Promise<never>(() => {})

test('the work is answered, or its failure, and nothing listens to the signal any more', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(signal, sleep(5, 'done'))).toBe('done')
  await expect(unlessAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no')

  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('the reason of the signal comes first where the work does not end, now or later', async () => {
  const ending = new AbortController()
  const waiting = unlessAborted(ending.signal, endless())
  ending.abort(reason)

  await expect(waiting).rejects.toBe(reason)
  await expect(unlessAborted(ending.signal, endless())).rejects.toBe(reason)
})

test('work that fails after it was left ends no process', async () => {
  const failing = sleep(5).then(() => Promise.reject(new Error('late')))
  await expect(unlessAborted(AbortSignal.abort(reason), failing)).rejects.toBe(reason)

  // The runner fails on a rejection that nobody handles.
  await sleep(20)
})
