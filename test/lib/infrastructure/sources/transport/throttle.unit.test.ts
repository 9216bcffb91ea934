import { expect, test } from 'vitest'
import { createThrottle, type ThrottleLimits } from '#lib/infrastructure/sources/transport/throttle'
import { createManualTiming } from '../../../../support/stand-ins/manual-timing.ts'

const PATIENT = new AbortController().signal

function make(limits: Partial<ThrottleLimits>) {
  const timing = createManualTiming()
  const throttle = createThrottle({ requests: 100, withinMs: 1_000, open: 100, ...limits, timing })
  const started: string[] = []
  const ends = new Map<string, () => void>()

  async function take(name: string, signal = PATIENT, isBackground = false): Promise<void> {
    const end = await throttle.take(signal, { isBackground })
    started.push(name)
    ends.set(name, end)
  }
  const takeAll = (...names: string[]) => {
    for (const name of names) take(name).catch(() => undefined)
    return timing.advance(0)
  }
  const takeInBackground = (...names: string[]) => {
    for (const name of names) take(name, PATIENT, true).catch(() => undefined)
    return timing.advance(0)
  }
  async function end(name: string): Promise<void> {
    ends.get(name)?.()
    await timing.advance(0)
  }
  return { timing, throttle, started, take, takeAll, takeInBackground, end }
}

test('the limit of open requests is kept, and the next one is the first that came', async () => {
  const { started, takeAll, end } = make({ open: 2 })

  await takeAll('a', 'b', 'c', 'd')
  expect(started).toEqual(['a', 'b'])
  await end('b')
  expect(started).toEqual(['a', 'b', 'c'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

test('a request counts from its end, which proves its arrival', async () => {
  const { started, takeAll, end, timing } = make({ requests: 2 })
  await takeAll('a', 'b', 'c', 'd')

  await timing.advance(200)
  await end('a')
  await timing.advance(100)
  await end('b')
  await timing.advance(899)
  expect(started).toEqual(['a', 'b'])

  await timing.advance(1)
  expect(started).toEqual(['a', 'b', 'c'])
  await timing.advance(100)
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

test('a request that goes on for long stops counting all the same', async () => {
  const { started, takeAll, timing } = make({ requests: 1 })
  await takeAll('a', 'b')

  await timing.advance(1_999)
  expect(started).toEqual(['a'])
  await timing.advance(1)

  expect(started).toEqual(['a', 'b'])
})

test('background work takes at most half of the permits, in rate and at once', async () => {
  const { started, takeAll, takeInBackground, end, timing } = make({ requests: 4, open: 4 })
  await takeInBackground('x', 'y', 'z')
  expect(started).toEqual(['x', 'y'])
  await end('x')
  expect(started).toEqual(['x', 'y'])

  await takeAll('a', 'b')
  expect(started).toEqual(['x', 'y', 'a', 'b'])
  await timing.advance(1_000)
  expect(started.at(-1)).toBe('z')
})

test('background work waits behind every other call, however late that one comes', async () => {
  const { started, takeAll, takeInBackground, end } = make({ open: 2 })
  await takeAll('a', 'b')
  await takeInBackground('x')
  await takeAll('c', 'd')

  await end('a')
  await end('b')
  await end('c')
  expect(started).toEqual(['a', 'b', 'c', 'd', 'x'])
})

test('half of a single permit is one in twice the time', async () => {
  const { started, takeAll, takeInBackground, end, timing } = make({ requests: 1, open: 1 })
  await takeInBackground('x', 'y')
  await end('x')
  await timing.advance(1_500)
  await takeAll('a')
  expect(started).toEqual(['x', 'a'])

  await end('a')
  await timing.advance(1_000)
  expect(started).toEqual(['x', 'a', 'y'])
})

test('where one request may be open, a background one is no hindrance to another call', async () => {
  const { started, takeAll, takeInBackground } = make({ open: 1, requests: 2 })
  await takeInBackground('x', 'y')
  await takeAll('a', 'b')

  expect(started).toEqual(['x', 'a'])
})
