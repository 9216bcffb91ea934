import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startCallTimer } from '../../../../lib/sources/transport/call-timer.ts'

const LONG_MS = 60_000
const never = () => new Promise<never>(() => undefined)

test('it ends where the first turn does not come in its time', async () => {
  const clock = startCallTimer({ callMs: LONG_MS, turnMs: 10, signal: undefined })
  await once(clock.signal, 'abort')

  expect(clock.signal.reason).toMatchObject({ name: 'TimeoutError' })
  expect(clock.isForTurn()).toBe(true)
  expect(clock.msLeft()).toBe(LONG_MS)
})

test('it ends where the work takes longer than its time, which a turn begins', async () => {
  const clock = startCallTimer({ callMs: 10, turnMs: LONG_MS, signal: undefined })
  await clock.take(async () => 'a turn')
  await once(clock.signal, 'abort')

  expect(clock.isForTurn()).toBe(false)
  expect(clock.msLeft()).toBeLessThanOrEqual(1)
})

test('its own time stands still while another turn is waited for, whose time is that of all turns', async () => {
  const clock = startCallTimer({ callMs: LONG_MS, turnMs: 300, signal: undefined })
  await clock.take(async () => 'a turn')
  clock.take(never).catch(() => undefined)
  const left = clock.msLeft()
  await once(clock.signal, 'abort')

  expect(clock.isForTurn()).toBe(true)
  expect(clock.msLeft()).toBe(left)
})

test('it ends with the reason of the caller, and nothing ends it once it is cleared', () => {
  const [caller, other] = [new AbortController(), new AbortController()]
  const clock = startCallTimer({ callMs: LONG_MS, turnMs: LONG_MS, signal: caller.signal })
  const cleared = startCallTimer({ callMs: LONG_MS, turnMs: LONG_MS, signal: other.signal })
  cleared.clear()
  caller.abort('enough')
  other.abort('too late')

  expect(clock.signal.reason).toBe('enough')
  expect(cleared.signal.aborted).toBe(false)
})
