import { expect, test } from 'vitest'
import { linkAbort } from '../../../lib/concurrency/link-abort.ts'

const reason = new Error('enough')

test('a controller is aborted with the reason of the signal that it follows, now or later', () => {
  const [parent, early, late] = [new AbortController(), new AbortController(), new AbortController()]
  linkAbort(early, parent.signal)
  expect(early.signal.aborted).toBe(false)
  parent.abort(reason)
  linkAbort(late, parent.signal)

  expect([early, late].map(({ signal }) => signal.reason)).toEqual([reason, reason])
})

test('no longer once that was ended, and never where there is no signal', () => {
  const [parent, child] = [new AbortController(), new AbortController()]
  const unfollow = linkAbort(child, parent.signal)
  linkAbort(child, undefined)()
  unfollow()
  parent.abort(reason)

  expect(child.signal.aborted).toBe(false)
})
