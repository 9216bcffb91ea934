import { describe, expect, test } from 'vitest'
import { compareDates, listReleases, readReleased } from '../../../../lib/matching/facts/compare-dates.ts'
import { DATE_SIGNALS } from '../../../../lib/matching/weights.ts'

const day = (text: string) => Date.parse(text) / 1000

// A document as another program may have stored it: what the types do not allow is the point.
const odd = (value: unknown) => value as never

describe('dates', () => {
  test.each([
    ['2010-08-31', '2010-08-31', 'sameDay'],
    ['2010-08-31', '2010-09-01', 'sameDay'],
    ['2010-08-31', '2010-09-24', 'otherDay'],
    ['2010', '2010-09-24', 'sameYear'],
    ['2010-09', '2010-01-01', 'sameYear'],
    ['2010-12-28', '2011-01-04', 'oneYear'],
    ['2010', '2011-06-01', 'oneYear'],
    ['2010', '2008-06-01', 'twoYears'],
    ['2010', '2006-06-01', 'fourYears'],
    ['2010', '2016-06-01', 'sixYears'],
    ['2010', '2000-06-01', 'tenYears'],
    ['2019-01-25', '1998-01-21', 'more'],
  ] as const)('%s and %s: %s', (subject, game, signal) => {
    expect(compareDates(readReleased(subject), [day(game)])).toBe(DATE_SIGNALS[signal])
  })

  test('the nearest of all releases counts', () => {
    const releases = listReleases(
      odd({ first_release: day('2015-09-15'), release_dates: [null, { date: day('2018-09-18') }, {}] }),
    )

    expect(compareDates(readReleased('2018'), releases)).toBe(DATE_SIGNALS.sameYear)
  })

  test('what is not known is neither for nor against', () => {
    expect(compareDates(readReleased(null), [day('2010-01-01')])).toBeNull()
    expect(compareDates(readReleased('soon'), [day('2010-01-01')])).toBeNull()
    expect(
      compareDates(readReleased('2010'), listReleases(odd({ release_dates: null, first_release: null }))),
    ).toBeNull()
  })
})
