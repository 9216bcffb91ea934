import { describe, expect, test } from 'vitest'
import { compareTypes, isAdditionToOther, isSpecialTypeAlone } from '../../../../lib/matching/facts/compare-types.ts'
import { TYPE_SIGNALS } from '../../../../lib/matching/weights.ts'

describe('types', () => {
  test.each([
    ['Main Game', 'Main Game', 'same'],
    ['DLC', 'Expansion', 'same'],
    ['DLC', 'Standalone Expansion', 'kindred'],
    ['Main Game', 'Expanded Game', 'apart'],
    ['Main Game', 'DLC', 'other'],
    ['Remake', 'Main Game', 'other'],
    ['Pack / Addon', 'Main Game', 'other'],
  ] as const)('%s and %s: %s', (a, b, signal) => {
    expect(compareTypes(a, b)).toBe(TYPE_SIGNALS[signal])
    expect(compareTypes(b, a)).toBe(TYPE_SIGNALS[signal])
  })

  test('an unknown one is neither for nor against, and a special one is seldom that of a game of no known type', () => {
    expect(compareTypes(null, 'DLC')).toBeNull()
    expect(compareTypes('Thing', 'DLC')).toBeNull()
    expect(isSpecialTypeAlone('DLC', undefined)).toBe(true)
    expect(isSpecialTypeAlone('Main Game', null)).toBe(false)
    expect(isSpecialTypeAlone('DLC', 'DLC')).toBe(false)
    expect(isAdditionToOther('DLC', undefined)).toBe(true)
    expect(isAdditionToOther('DLC', 'Expansion')).toBe(false)
    expect(isAdditionToOther('Remake', 'Main Game')).toBe(false)
  })
})
