import { expect, it } from 'vitest'
import { type FeedAnswer, type FeedPosition, moveFeed, serves } from '#lib/infrastructure/events/feed-position'

const LOCAL_READ_MS = 60
const OTHERS: FeedPosition = { name: 'others' }
const withLocal = (since: number, until: number): FeedPosition => ({ name: 'with-local', since, until })
const lost = (since: number, until: number): FeedPosition => ({ name: 'lost', since, until })

const noAnswer = (begunAt: number): FeedAnswer => ({ name: 'no-answer', begunAt, at: 100 })
const batch = (more: Partial<FeedAnswer & { name: 'batch' }> & { since?: number } = {}): FeedAnswer => {
  const { since = 80, ...rest } = more
  const reading = { includesLocal: true, since }
  return { name: 'batch', at: 100, isFirst: false, isCaughtUp: true, reading, ...rest }
}
const withoutLocal = { includesLocal: false, since: 80 }

it.each<[rule: string, from: FeedPosition, answer: FeedAnswer, to: FeedPosition]>([
  ['a write without an answer is lost', OTHERS, noAnswer(90), lost(90, 160)],
  ['a write that began inside the local changes is read', withLocal(80, 120), noAnswer(90), withLocal(80, 160)],
  ['a write that began before the local changes is lost', withLocal(80, 120), noAnswer(70), lost(70, 160)],
  ['the earliest lost write counts', lost(90, 120), noAnswer(70), lost(70, 160)],
  ['a later lost write moves only the end', lost(70, 120), noAnswer(90), lost(70, 160)],
  ['a batch from before the lost write finds it', lost(90, 120), batch(), withLocal(80, 120)],
  ['a batch from after the lost write does not find it', lost(70, 120), batch(), lost(70, 120)],
  ['an incomplete batch does not find it', lost(90, 120), batch({ isCaughtUp: false }), lost(90, 120)],
  ['a batch without local changes does not find it', lost(90, 120), batch({ reading: withoutLocal }), lost(90, 120)],
  ['the first batch of a reading moves the end', lost(90, 20), batch({ isFirst: true }), withLocal(80, 160)],
  ['an incomplete first batch moves the end', lost(90, 20), batch({ isFirst: true, isCaughtUp: false }), lost(90, 160)],
  ['local changes are left after their end', withLocal(80, 99), batch(), OTHERS],
  ['local changes are kept until their end', withLocal(80, 100), batch(), withLocal(80, 100)],
  ['a later reading continues the earlier one', withLocal(50, 120), batch(), withLocal(50, 120)],
  ['the first batch proves what is read', withLocal(Number.POSITIVE_INFINITY, 120), batch(), withLocal(80, 120)],
  ['an incomplete batch proves nothing', withLocal(90, 120), batch({ isCaughtUp: false }), withLocal(90, 120)],
  ['a batch without local changes changes nothing', OTHERS, batch({ reading: withoutLocal }), OTHERS],
  [
    'an unknown token may be a local one',
    OTHERS,
    { name: 'unknown-token', at: 100 },
    withLocal(Number.POSITIVE_INFINITY, 160),
  ],
  ['an unknown token moves the end', lost(90, 120), { name: 'unknown-token', at: 100 }, lost(90, 160)],
  [
    'clients read the lost write themselves',
    lost(90, 120),
    { name: 'history-lost' },
    withLocal(Number.NEGATIVE_INFINITY, 120),
  ],
  ['a lost history changes nothing else', withLocal(80, 120), { name: 'history-lost' }, withLocal(80, 120)],
  ['a lost history needs no local changes', OTHERS, { name: 'history-lost' }, OTHERS],
])('%s', (_rule, from, answer, to) => {
  expect(moveFeed(from, answer, LOCAL_READ_MS)).toEqual(to)
})

it.each<[rule: string, reading: { includesLocal: boolean; since: number }, position: FeedPosition, isServing: boolean]>(
  [
    ['local changes are not read for nothing', { includesLocal: true, since: 80 }, OTHERS, false],
    ['changes of others need no local ones', withoutLocal, OTHERS, true],
    ['local changes are read wherever the reading began', { includesLocal: true, since: 80 }, withLocal(50, 120), true],
    ['local changes need their own reading', withoutLocal, withLocal(50, 120), false],
    ['a lost write needs a reading from before it', { includesLocal: true, since: 80 }, lost(70, 120), false],
    ['a lost write is in a reading from before it', { includesLocal: true, since: 80 }, lost(80, 120), true],
    ['a lost write is in no reading without local changes', withoutLocal, lost(90, 120), false],
  ],
)('%s', (_rule, reading, position, isServing) => {
  expect(serves(reading, position)).toBe(isServing)
})
