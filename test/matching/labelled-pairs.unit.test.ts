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

it.each(halves)(
  'the %s half holds 40 to 60 percent of the pairs, 35 to 65 percent of each label, and a third of each kind',
  (_half, pairs) => {
    const share = countWhere(pairs, ({ isSame }) => isSame) / pairs.length
    for (const [part, least] of [
      [pairs.length / labelledPairs.length, 0.4],
      [share, 0.35],
    ] as const) {
      expect(part).toBeGreaterThan(least)
      expect(part).toBeLessThan(1 - least)
    }
    for (const kind of kinds) {
      const isKind = (pair: LabelledPair) => pair.kind === kind
      expect(countWhere(pairs, isKind), kind).toBeGreaterThanOrEqual(Math.max(5, countWhere(labelledPairs, isKind) / 3))
    }
  },
)
