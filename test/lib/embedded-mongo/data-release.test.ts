import { expect, it } from 'vitest'
import { canOpen } from '../../../lib/embedded-mongo/data-release.ts'

it.each([
  ['6.0.5', '6.0', true],
  ['7.0.14', '6.0', true],
  ['8.0.4', '6.0', false],
  ['6.0.5', '7.0', false],
  ['8.0.4', '7.0', true],
  ['8.2.6', '7.0', false],
  ['8.2.6', '8.0', true],
  ['8.0.4', '8.2', false],
  ['10.0.0', '9.0', true],
  ['6.0.5', '6.0 7.0', false],
  ['7.0.14', '6.0 7.0', true],
  ['8.0.4', '6.0 7.0', false],
  ['8.2.6', 'unfinished', true],
  ['6.0.5', undefined, true],
])('%s on data of %s: %s', (version, dataRelease, expected) => {
  expect(canOpen(version, dataRelease)).toBe(expected)
})
