import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startCallTimer } from '#lib/infrastructure/sources/transport/call-timer'

const LONG_MS = 60_000
const never = () => new Promise<never>(() => undefined)

test('its own time stands still while another permit is waited for, whose time is that of all permits', async () => {
  const clock = startCallTimer({ callMs: LONG_MS, permitMs: 300, signal: undefined })
  await clock.take(async () => 'a permit')
  clock.take(never).catch(() => undefined)
  const left = clock.msLeft()
  await once(clock.signal, 'abort')

  expect(clock.isQueued()).toBe(true)
  expect(clock.msLeft()).toBe(left)
})
