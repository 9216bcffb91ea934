import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import type { MatchedGame, MatchSubject } from '#lib/domain/matching/match'
import { prepareSubject } from '#lib/domain/matching/prepare-subject'
import { scoreMatch } from '#lib/domain/matching/score'
import { LIKELY_DUPLICATE_SCORE } from '#lib/domain/matching/weights'

const _id = new ObjectId()
const [win, ps2, ps5] = [new ObjectId(), new ObjectId(), new ObjectId()]

const toGame = (facts: Partial<MatchedGame>): MatchedGame => ({
  _id,
  name: 'Silent Hill 2',
  slug: 'silent-hill-2',
  ...facts,
})
const match = (subject: Partial<MatchSubject>, game: Partial<MatchedGame> = {}) =>
  scoreMatch(prepareSubject({ name: 'Silent Hill 2', ...subject }), toGame(game))
const scoreOf = (subject: Partial<MatchSubject>, game: Partial<MatchedGame> = {}) => match(subject, game).score
const day = (text: string) => Date.parse(text) / 1000

const ORIGINAL: Partial<MatchedGame> = {
  first_release: day('2001-09-24'),
  companies: [
    { name: 'Team Silent', developer: true },
    { name: 'Konami', publisher: true },
  ],
  platformIds: [ps2],
  genres: ['Adventure'],
  type: 'Main Game',
}

/** A game, the same on two platforms or known on one, and an entry of other makers with nearly its name. */
const PORTED = { first_release: day('2015-09-15'), platformIds: [win, ps5], companies: [{ name: 'Toby Fox' }] }
const ON_BOTH = { name: 'LanternKeep', alternative_names: ['Lantern Keep'] }
const KEEP = { ...ON_BOTH, platformIds: [win] }
const NAMED_YEAR = { name: 'Lantern Keep (2018)', released: null }
const OTHER_KEEP = { name: 'LanternKeep', companies: ['Golf Boy'], platformIds: [win] }

test('an equal title alone is a likely duplicate, and missing facts are neutral', () => {
  expect(match({})).toEqual({
    gameId: _id,
    name: 'Silent Hill 2',
    slug: 'silent-hill-2',
    score: expect.closeTo(0.973, 2),
    breakdown: { title: 1, companies: null, date: null, platforms: null, genre: null, type: null },
    points: { title: 10.9, companies: 0, date: 0, platforms: 0, genre: 0, type: 0 },
    dateSignal: 'unknown',
    descriptionSignal: 'unknown',
    hasCompanyMismatch: false,
    matchedTitle: 'Silent Hill 2',
  })
  expect(scoreOf({}, ORIGINAL)).toBe(scoreOf({}))
})

test("points are ten times the decimal logarithm of each part's weight, signed", () => {
  const { points } = match({ released: '2024', companies: ['Konami'], type: 'DLC' }, ORIGINAL)
  expect(points).toEqual({
    title: 10.9,
    companies: 5.2,
    date: expect.any(Number),
    platforms: 0,
    genre: 0,
    type: -17.4,
  })
  expect(points.date).toBeLessThan(-10)
  expect(match({ name: 'Prey' }, { name: 'Prey' }).points.title).toBeLessThan(points.title)
})

test.each<[fact: string, agreeing: Partial<MatchSubject>, contrary: Partial<MatchSubject>]>([
  ['date', { released: '2001-09' }, { released: '2024' }],
  ['company', { companies: ['Konami'] }, { companies: ['Bloober Team'] }],
  ['platform', { platformIds: [ps2] }, { platformIds: [ps5] }],
  ['genre', { genres: ['adventure'] }, { genres: ['Racing'] }],
  ['type', { type: 'Main Game' }, { type: 'Remake' }],
])('an equal %s raises the score, and another one lowers it', (_fact, agreeing, contrary) => {
  const bare = scoreOf({}, ORIGINAL)

  expect(scoreOf(agreeing, ORIGINAL)).toBeGreaterThan(bare)
  expect(scoreOf(contrary, ORIGINAL)).toBeLessThan(bare)
})

test('the breakdown and the signals explain the score', () => {
  expect(match({ released: '2024-10-08', companies: ['Bloober Team'], platformIds: [ps5] }, ORIGINAL)).toMatchObject({
    breakdown: { title: 1, companies: 0, date: 0, platforms: 0, genre: null, type: null },
    dateSignal: 'contradicts',
    hasCompanyMismatch: true,
  })
  expect(match({ released: '2001' }, ORIGINAL).dateSignal).toBe('confirms')
  expect(match({ released: '2003' }, ORIGINAL).dateSignal).toBe('unknown')
})

test('a match says that its game is made by hand', () => {
  expect(match({}, { isCustom: true }).isCustom).toBe(true)
  expect(match({}, { isCustom: false })).not.toHaveProperty('isCustom')
})

const isLikely = (subject: Partial<MatchSubject>, game: Partial<MatchedGame>) =>
  scoreOf(subject, game) >= LIKELY_DUPLICATE_SCORE

test('an equal title of another time is a remake', () => {
  expect(isLikely({ released: '2024-10-08' }, ORIGINAL)).toBe(false)
  expect(isLikely({ released: '2002' }, ORIGINAL)).toBe(true)
})

test.each<[isPort: boolean, rule: string, subject: Partial<MatchSubject>, game?: Partial<MatchedGame>]>([
  [true, 'a platform of the game, some years later', {}],
  [true, 'by other makers, too', { companies: ['8-4'] }],
  [false, 'another platform by other makers', { platformIds: [ps2], companies: ['8-4'] }],
  [false, 'many years later', { released: '2030', companies: ['8-4'] }],
  [false, 'one platform, two years apart', { ...OTHER_KEEP, released: '2017' }, KEEP],
  [false, 'one platform, four years apart', OTHER_KEEP, KEEP],
  [false, 'the title in another spelling', { ...OTHER_KEEP, name: 'Lantern-Keep' }, ON_BOTH],
  [false, 'a year in the title', { ...NAMED_YEAR, companies: ['Toby Fox'], platformIds: [win] }, ON_BOTH],
  [false, 'more than four years apart', { ...OTHER_KEEP, released: '2021' }, ON_BOTH],
  [false, 'two years before the game', { ...OTHER_KEEP, released: '2013' }, ON_BOTH],
])('a late release is a port: %s (%s)', (isPort, _rule, subject, game = {}) => {
  const late = { released: '2019', platformIds: [ps5], ...subject }

  expect(isLikely(late, { ...PORTED, ...game })).toBe(isPort)
})

test.each<[name: string, other: string, facts?: Partial<MatchSubject>]>([
  ['Postal', 'Portal'],
  ['Aliens', 'Alien'],
  ['Crisis Core: Final Fantasy VII', 'Final Fantasy VII'],
  ["Tony Hawk's Pro Skater 1 + 2", "Tony Hawk's Pro Skater 2"],
  ['Golden Sun', 'Golden Sun: The Lost Age', { platformIds: [ps2] }],
  ['Driv3r', 'Driver', { platformIds: [ps2] }],
])('%s is not taken for %s by its name, or by a platform that the games of a series share', (name, other, facts) => {
  expect(isLikely({ name, ...facts }, { name: other, ...(facts && { platformIds: [ps2] }) })).toBe(false)
})

test.each([
  ['LBP 2', 'LittleBigPlanet 2'],
  ['Sim City 3k', 'SimCity 3000'],
])('%s is %s by its name alone', (name, other) => {
  expect(isLikely({ name }, { name: other })).toBe(true)
})

test.each([
  ['Dead Space Remake', 'Dead Space', 'Remake'],
  ['Okami Hunt HD', 'Okami Hunt', 'Remaster'],
  ['Okami Hunt Remastered', 'Okami Hunt', 'Remaster'],
  ['Okami Hunt: Definitive Edition', 'Okami Hunt', 'Remaster'],
  ['Iceborne Keep (DLC)', 'Iceborne Keep', 'DLC'],
  ['Iceborne Keep Expansion Pack', 'Iceborne Keep', 'Expansion'],
  ['Expansion - Iceborne Keep', 'Iceborne Keep', 'Expansion'],
  ['Keep Costume Pack', 'Keep Pack', 'DLC'],
  ['Iceborne Keep Bundle', 'Iceborne Keep', 'Bundle'],
  ['Iceborne Keep (Mod)', 'Iceborne Keep', 'Mod'],
])('%s is %s, which is a %s', (name, other, type) => {
  const stored = { name: other, type }
  for (const { score, breakdown } of [match({ name }, stored), match(stored, { name })]) {
    expect(score).toBeGreaterThanOrEqual(LIKELY_DUPLICATE_SCORE)
    expect(breakdown.type).toBe(1)
  }
  expect(scoreOf({ name }, { name: other, type: 'Main Game' })).toBeLessThan(LIKELY_DUPLICATE_SCORE)
  expect(match({ name, type: 'Main Game' }, { name: other, type }).breakdown.type).toBeLessThan(0.5)
})

test('a remake without a type is recognised by its date', () => {
  const game = { name: 'Dead Space', first_release: day('2023-01-27') }

  expect(scoreOf({ name: 'Dead Space Remake', released: '2023-01-27' }, game)).toBeGreaterThan(0.9)
  expect(scoreOf({ name: 'Dead Space Remake', released: '2023-05-27' }, game)).toBeLessThan(LIKELY_DUPLICATE_SCORE)
})

test.each([
  ['Dead Space 2 DLC', 'Dead Space 2: Severed', 'DLC'],
  ['Keep Map Pack', 'Keep Skin Pack', 'DLC'],
  ['Okami Hunt Remake', 'Okami Hunt', 'Remaster'],
  ['Okami Hunt HD', 'Okami Hunt: Definitive Edition', 'Remaster'],
  ['Iceborne Keep Season Pass', 'Iceborne Keep Expansion Pack', 'DLC'],
])('%s is not %s, a %s of its own', (name, other, type) => {
  expect(scoreOf({ name }, { name: other, type })).toBeLessThan(LIKELY_DUPLICATE_SCORE)
})

const likely = (name: string, game: Partial<MatchedGame>) => [
  scoreOf({ name }, game) >= LIKELY_DUPLICATE_SCORE,
  match({ name: game.name ?? '', alternativeNames: game.alternative_names ?? [] }, { name }).score >=
    LIKELY_DUPLICATE_SCORE,
]

test('two titles in one name in two scripts, or both names of the game: each is its title', () => {
  expect(likely('Метро 2033 / Metro 2033', { name: 'Metro 2033' })).toEqual([true, true])
  const game = { name: 'Fatal Frame', alternative_names: ['Project Zero'] }
  expect(likely('Fatal Frame / Project Zero', game)).toEqual([true, true])
})

test('two titles in one name in one script may be two games, and without spaces they are one title', () => {
  expect(likely('Super Mario Bros. / Duck Hunt', { name: 'Duck Hunt' })).toEqual([false, false])
  expect(likely('Fate/stay night', { name: 'Fate' })).toEqual([false, false])
})

test.each([
  ['Driv3r', 'Driver 3', 0.9],
  ['F.3.A.R.', 'F.E.A.R. 3', 0.9],
  ['Dr1ver', 'Driver', 0.9],
  ['Superhot (Non-VR)', 'Superhot', 0.9],
  ['Thi4f', 'Thief', 0.5],
])('%s is read as %s', (name, other, least) => {
  expect(match({ name }, { name: other }).breakdown.title).toBeGreaterThan(least)
  expect(match({ name: other }, { name }).breakdown.title).toBeGreaterThan(least)
})

test('alternative names of both sides count, and the match names the agreeing one', () => {
  const game = { name: 'Resident Evil', alternative_names: ['Biohazard', 'バイオハザード'] }

  expect(match({ name: 'バイオハザード' }, game)).toMatchObject({
    matchedTitle: 'バイオハザード',
    breakdown: { title: 0.98 },
  })
  expect(match({ name: 'Baiohazādo', alternativeNames: ['Biohazard'] }, game).matchedTitle).toBe('Biohazard')
  expect(match({ name: 'Resident Evil' }, game).matchedTitle).toBe('Resident Evil')
})

test('a year in brackets is the year of the subject when it has none', () => {
  const game = { name: 'Prey', first_release: day('2006-07-11') }

  expect(match({ name: 'Prey (2017)' }, game).dateSignal).toBe('contradicts')
  expect(match({ name: 'Prey (2017)', released: '2006' }, game).dateSignal).toBe('confirms')
  expect(match({ name: 'Prey', released: '2006' }, { name: 'Prey (2017)' }).dateSignal).toBe('contradicts')
})

test('documents of another program may have null for any field', () => {
  // Values that the types do not allow are the point.
  const game = {
    _id,
    name: null,
    slug: null,
    alternative_names: null,
    type: null,
    first_release: null,
    release_dates: [null],
    companies: [null, { name: null }],
    platformIds: null,
    genres: [null],
    summary: null,
    isCustom: null,
  } as never

  expect(scoreMatch(prepareSubject({ name: 'Doom', companies: ['id'], genres: ['Shooter'] }), game)).toMatchObject({
    name: '',
    slug: '',
    breakdown: { title: 0 },
  })
})
