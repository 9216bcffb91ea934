import { describe, expect, it } from 'vitest'
import { heldOutPairs, kinds, labelledPairs, tuningPairs } from './labelled-pairs.ts'
import type { LabelledEntry, LabelledPair } from './parse-pairs.ts'

const halves: [string, LabelledPair[]][] = [
  ['tuning', tuningPairs],
  ['held-out', heldOutPairs],
]
const countWhere = <T>(items: readonly T[], holds: (item: T) => boolean) => items.filter(holds).length
const titleKey = ({ name, released }: LabelledEntry) => `${name.toLowerCase()} (${released?.slice(0, 4)})`
const pairKey = ({ a, b }: LabelledPair) => [titleKey(a), titleKey(b)].sort().join(' / ')
const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)

describe('the labelled pairs', () => {
  it('are at least 480, each under an id of its own', () => {
    expect(labelledPairs.length).toBeGreaterThanOrEqual(480)
    expect(repeated(labelledPairs.map(({ id }) => id))).toEqual([])
  })

  it('hold no two games twice, in either order, so that no pair is in both halves', () => {
    expect(repeated(labelledPairs.map(pairKey))).toEqual([])
  })
})

describe('the halves', () => {
  it.each(halves)('hold 40 to 60 percent of the pairs each: %s', (_half, pairs) => {
    expect(pairs.length / labelledPairs.length).toBeGreaterThan(0.4)
    expect(pairs.length / labelledPairs.length).toBeLessThan(0.6)
  })

  it.each(halves)('hold both labels at 35 to 65 percent each: %s', (_half, pairs) => {
    const share = countWhere(pairs, ({ isSame }) => isSame) / pairs.length
    expect(share).toBeGreaterThan(0.35)
    expect(share).toBeLessThan(0.65)
  })

  it.each(halves)('hold at least 5 pairs and a third of each kind: %s', (_half, pairs) => {
    for (const kind of kinds) {
      const isKind = (pair: LabelledPair) => pair.kind === kind
      expect(countWhere(pairs, isKind), kind).toBeGreaterThanOrEqual(Math.max(5, countWhere(labelledPairs, isKind) / 3))
    }
  })
})
