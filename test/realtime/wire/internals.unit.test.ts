import { expect, it } from 'vitest'
import { frameText } from '../../../realtime/wire/internals.ts'

it.each([
  [0, [0x81, 0]],
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 0xff, 0xff]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('the frame of a text of %i bytes', (bytes, head) => {
  const frame = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'x')])
  expect(frameText('x'.repeat(bytes)).equals(frame)).toBe(true)
})
