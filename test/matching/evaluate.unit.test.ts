import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { publicPairs, tuningPairs } from './labelled-pairs.ts'

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
