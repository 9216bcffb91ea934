import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startCallTimer } from '../../../../lib/sources/transport/call-timer.ts'

const LONG_MS = 60_000
const never = () => new Promise<never>(() => undefined)

test('it ends where the first permit does not come in its time', async () => {
  const clock = startCallTimer({ callMs: LONG_MS, permitMs: 10, signal: undefined })
  await once(clock.signal, 'abort')

  expect(clock.signal.reason).toMatchObject({ name: 'TimeoutError' })
  expect(clock.isQueued()).toBe(true)
  expect(clock.msLeft()).toBe(LONG_MS)
})

test('it ends where the work takes longer than its time, which a permit begins', async () => {
  const clock = startCallTimer({ callMs: 10, permitMs: LONG_MS, signal: undefined })
  await clock.take(async () => 'a permit')
  await once(clock.signal, 'abort')

  expect(clock.isQueued()).toBe(false)
  expect(clock.msLeft()).toBeLessThanOrEqual(1)
})

test('its own time stands still while another permit is waited for, whose time is that of all permits', async () => {
  const clock = startCallTimer({ callMs: LONG_MS, permitMs: 300, signal: undefined })
  await clock.take(async () => 'a permit')
  clock.take(never).catch(() => undefined)
  const left = clock.msLeft()
  await once(clock.signal, 'abort')

  expect(clock.isQueued()).toBe(true)
  expect(clock.msLeft()).toBe(left)
})

test('it ends with the reason of the caller, and nothing ends it once it is cleared', () => {
  const [caller, other] = [new AbortController(), new AbortController()]
  const clock = startCallTimer({ callMs: LONG_MS, permitMs: LONG_MS, signal: caller.signal })
  const cleared = startCallTimer({ callMs: LONG_MS, permitMs: LONG_MS, signal: other.signal })
  cleared.clear()
  caller.abort('enough')
  other.abort('too late')

  expect(clock.signal.reason).toBe('enough')
  expect(cleared.signal.aborted).toBe(false)
})
