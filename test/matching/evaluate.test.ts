import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { tuningPairs } from './labelled-pairs.ts'

test('the tuning half: precision and recall of at least 0.98', () => {
  const { precision, recall, judged } = evaluate(tuningPairs)
  const wrong = judged.filter(({ pair, isTaken }) => isTaken !== pair.isSame)

  expect(judged).toHaveLength(tuningPairs.length)
  expect(
    { precision, recall, isGood: precision >= 0.98 && recall >= 0.98 },
    wrong.map(({ pair }) => pair.id).join(' '),
  ).toMatchObject({
    isGood: true,
  })
})
