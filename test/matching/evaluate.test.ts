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

test('a matcher that takes everything, or nothing, would not pass', () => {
  const same = tuningPairs.filter(({ isSame }) => isSame)
  const others = tuningPairs.filter(({ isSame }) => !isSame)

  expect(same.length / tuningPairs.length).toBeLessThan(0.8)
  expect(evaluate(others).precision).toBe(0)
  expect(evaluate(same).precision).toBe(1)
})
