import { expect, test } from 'vitest'
import { evaluate, evaluateAutomatic } from './evaluate.ts'
import { heldOutPairs, publicPairs, tuningPairs } from './labelled-pairs.ts'

test.each([
  ['the tuning half: precision and recall of at least 0.98', tuningPairs, { precision: 0.98, recall: 0.98 }],
  ['public reports: precision of at least 0.90, recall of 0.95', publicPairs, { precision: 0.9, recall: 0.95 }],
] as const)('%s', (_name, pairs, least) => {
  const { precision, recall, judged } = evaluate(pairs)
  const wrong = judged.filter(({ pair, isTaken }) => isTaken !== pair.isSame)

  expect(judged).toHaveLength(pairs.length)
  expect(
    { precision, recall, isGood: precision >= least.precision && recall >= least.recall },
    wrong.map(({ pair }) => pair.id).join(' '),
  ).toMatchObject({ isGood: true })
})

test.each([
  ['the tuning half', tuningPairs],
  ['the held-out half', heldOutPairs],
  ['public reports', publicPairs],
] as const)(
  '%s: automatic matches are right, contradict no fact, and spare people most of the work',
  (_name, pairs) => {
    const { matched, wrong, contradicted, full, fullMatched } = evaluateAutomatic(pairs)

    expect({ wrong, contradicted }).toEqual({ wrong: 0, contradicted: 0 })
    expect(matched).toBeGreaterThan(0)
    expect(fullMatched / full).toBeGreaterThanOrEqual(0.6)
  },
)
