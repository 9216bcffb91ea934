import { expect, test } from 'vitest'
import { findTextDifference } from '../../lib/console/requests/text-difference.ts'

const mark = (before: string, after: string) =>
  findTextDifference(before, after)
    .map(({ value, added, removed }) => (added ? `+${value}+` : removed ? `-${value}-` : value))
    .join('')

test.each([
  ['one word', 'paved with amber, and', 'paved with honey, and', 'paved with -amber-+honey+, and'],
  [
    'a phrase, as a whole',
    'his wife, who has been dead for three years.',
    'his wife, who died of an illness three years ago.',
    'his wife, who -has been dead for-+died of an illness+ three years +ago+.',
  ],
  ['an insertion', 'a road', 'a long, long road', 'a +long, long +road'],
  ['a removal', 'a long road', 'a road', 'a -long -road'],
  ['nothing', 'a road', 'a road', 'a road'],
  ['spaces alone, in both texts', 'a long road', 'a long\n\nroad', '-a long road-+a long\n\nroad+'],
  ['everything', 'a road', 'two towns', '-a road-+two towns+'],
])('the difference of two texts marks %s', (_, before, after, marked) => {
  expect(mark(before, after)).toBe(marked)
})

test('texts that would hold up the page are not compared', () => {
  const [before, after] = ['a '.repeat(2_500), 'a b '.repeat(2_500)]
  expect(findTextDifference(before, after)).toEqual([
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ])
})
