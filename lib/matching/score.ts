import type { GameDocument } from '../db/collections/games.ts'
import { stringsIn } from '../names/normalise-name.ts'
import {
  type Company,
  companyWords,
  compareCompanies,
  readCompanies,
  readGameCompanies,
} from './facts/compare-companies.ts'
import { compareDates, listReleases, type Moment, readReleased, toYear } from './facts/compare-dates.ts'
import {
  compareDescriptions,
  compareGenres,
  comparePlatforms,
  isKnownOn,
  readDescription,
} from './facts/compare-facts.ts'
import { compareTypes, isAdditionToOther, isSpecialTypeAlone } from './facts/compare-types.ts'
import type { GameMatch, MatchSubject } from './match.ts'
import { combineOdds, evidenceToPoints, weighEvidence } from './odds.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'
import { compareNames, createSideNames, isWithin, type SideNames } from './titles/abbreviations.ts'
import { compareTitles } from './titles/compare-titles.ts'
import { analyseTitle, isDistinctive, namesEdition, type TitleForm } from './titles/title-forms.ts'
import type { Circumstances } from './titles/unmatched-words.ts'
import { COMPANY_SIGNALS, DATE_SIGNALS, TITLE_SIGNALS, TOGETHER, WEIGHTS } from './weights.ts'

/** The fields of a game that are compared with a subject. */
export const MATCH_FIELDS = {
  name: 1,
  slug: 1,
  alternative_names: 1,
  type: 1,
  first_release: 1,
  'release_dates.date': 1,
  'release_dates.platformId': 1,
  'companies.name': 1,
  'companies.developer': 1,
  'companies.publisher': 1,
  platformIds: 1,
  genres: 1,
  summary: 1,
  isCustom: 1,
} as const

export type MatchedGame = Pick<
  GameDocument,
  | '_id'
  | 'name'
  | 'slug'
  | 'alternative_names'
  | 'type'
  | 'first_release'
  | 'release_dates'
  | 'companies'
  | 'platformIds'
  | 'genres'
  | 'summary'
  | 'isCustom'
>

/** A subject whose names are analysed once, to be compared with many games. */
export interface PreparedSubject {
  subject: MatchSubject
  main: TitleForm
  others: readonly TitleForm[]
  names: SideNames
  released: Moment | null
  companies: readonly Company[]
  description: ReadonlySet<string>
}

const MAX_ALTERNATIVES = 20
/** Letters of a name that are compared. */
const MAX_LETTERS = 200
/** The most that the names of one side may cost: twice the dearest labelled pair. */
export const MAX_STEPS_PER_GAME = 7_000
/** The cost of analysing a letter. */
const STEPS_OF_LETTER = 2

const firstStrings = (list: unknown) => stringsIn(Array.isArray(list) ? list.slice(0, MAX_ALTERNATIVES) : list)

const analyseName = (name: string) => analyseTitle(name.slice(0, MAX_LETTERS))

const analyseAlternatives = (names: unknown, main: TitleForm): TitleForm[] => {
  const forms = firstStrings(names).map(analyseName)
  const seen = new Set(['', main.text])
  return forms.filter(({ text }) => !seen.has(text) && seen.add(text))
}

export function prepareSubject(subject: MatchSubject): PreparedSubject {
  const main = analyseName(subject.name)
  const others = analyseAlternatives(subject.alternativeNames, main)
  const names = createSideNames([main, ...others], createStepBudget(MAX_STEPS_PER_GAME))
  for (const form of names.forms) names.spellOut(form)
  return {
    subject,
    main,
    others,
    names,
    companies: readCompanies(subject.companies),
    description: readDescription(subject.summary),
    released: readReleased(subject.released) ?? readReleased(main.year?.toString()),
  }
}

interface TitleMatch {
  signal: number
  matchedTitle: string
  isOneWord: boolean
}

const isOneWord = ({ tokens }: TitleForm) => tokens.filter(isDistinctive).length < 2

/** The names that agree best. */
export function matchTitles(
  { subject, main, others, released, companies, names: mines }: PreparedSubject,
  game: MatchedGame,
  budget: StepBudget = createStepBudget(MAX_STEPS_PER_GAME),
): TitleMatch {
  const releases = listReleases(game)
  const years = {
    left: new Set(released === null ? [] : [toYear(released.from)]),
    right: new Set(releases.map(toYear)),
  }
  const names = [...stringsIn([game.name]), ...firstStrings(game.alternative_names)]
  let known: ReadonlySet<string> | undefined
  const makers = () => {
    known ??= companyWords([...companies, ...readGameCompanies(game.companies)])
    return known
  }
  const isSameDay = compareDates(released, releases) === DATE_SIGNALS.sameDay
  const circumstances = { years, makers, isSameDay, budget }
  const analyse = (name: string) => {
    budget.spend(STEPS_OF_LETTER * Math.min(name.length, MAX_LETTERS))
    return analyseName(name)
  }
  const [mainName] = names.slice(0, 1).map(analyse)
  if (mainName === undefined) return { signal: 0, matchedTitle: '', isOneWord: false }
  const signal = compareTitles(main, mainName, circumstances)
  const best: TitleMatch = { signal, matchedTitle: mainName.title, isOneWord: isOneWord(mainName) }
  if (signal >= TITLE_SIGNALS.alternative) return best

  // An equal name comes first: it counts whatever the others cost.
  const written = new Set(mines.forms.map(({ title }) => title.toLowerCase()))
  const equal = names.slice(1).find((name) => written.has(name.slice(0, MAX_LETTERS).toLowerCase()))
  const unequal = names.slice(1).filter((name) => name !== equal)
  const alternatives = [
    ...stringsIn([equal]).map(analyse),
    ...unequal.flatMap((name) => (budget.isSpent ? [] : analyse(name))),
  ]
  const theirs = createSideNames([mainName, ...alternatives], budget)
  const compare = (mine: TitleForm, form: TitleForm, written: number, how: Circumstances) =>
    compareNames({ form: mine, names: mines }, { form, names: theirs }, written, how)
  const first = compare(main, mainName, signal, circumstances)
  Object.assign(best, { signal: first.signal, isOneWord: isOneWord(first.form) })

  const isOtherNumber = best.signal === TITLE_SIGNALS.differentNumbers
  const factor = isOtherNumber ? TITLE_SIGNALS.alternativeAgainstNumbers : TITLE_SIGNALS.alternative
  // `Warcraft III` beside `Warcraft III: Reign of Chaos` stands for it, and not for what else begins so.
  const leastSignal = (form: TitleForm) => (isWithin(form, mainName, budget) ? TITLE_SIGNALS.platform : 0)
  const take = (mine: TitleForm, form: TitleForm) => {
    if (budget.isSpent && mine.text !== form.text) return
    const how = { ...circumstances, isAlternative: form !== mainName }
    const written = compareTitles(mine, form, how)
    if (written * factor <= best.signal) return
    const found = compare(mine, form, written, how)
    if (found.signal * factor <= best.signal || (how.isAlternative && found.signal < leastSignal(found.full))) return
    const { title } = form
    Object.assign(best, { signal: found.signal * factor, matchedTitle: title, isOneWord: isOneWord(found.form) })
  }
  for (const mine of others) take(mine, mainName)
  for (const form of alternatives) {
    if (form.text === '') continue
    for (const mine of mines.forms) take(mine, form)
  }
  if (best.signal < WEIGHTS.title.neutral && isAdditionToOther(subject.type, game.type))
    best.signal *= TOGETHER.addOnTitle
  return best
}

const toDateSignal = (date: number | null): GameMatch['dateSignal'] => {
  if (date === null || date === WEIGHTS.date.neutral) return 'unknown'
  return date > WEIGHTS.date.neutral ? 'confirms' : 'contradicts'
}

const toDescriptionSignal = (description: number | null): GameMatch['descriptionSignal'] => {
  if (description === null || description === WEIGHTS.description.neutral) return 'unknown'
  return description > WEIGHTS.description.neutral ? 'match' : 'mismatch'
}

const round = (score: number) => Math.round(score * 10_000) / 10_000

/** Compares a subject with a game. A fact that either side lacks weighs nothing. */
export function scoreMatch(
  prepared: PreparedSubject,
  game: MatchedGame,
  { signal: title, matchedTitle, isOneWord }: TitleMatch = matchTitles(prepared, game),
): GameMatch {
  const { subject } = prepared
  const signals = {
    title,
    companies: compareCompanies(prepared.companies, game.companies),
    date: compareDates(prepared.released, listReleases(game)),
    platforms: comparePlatforms(subject.platformIds, game),
    genre: compareGenres(subject.genres, game.genres),
    type: compareTypes(subject.type, game.type),
  }
  const description = compareDescriptions(prepared.description, readDescription(game.summary), [
    subject.name,
    matchedTitle,
  ])
  const evidence = weighEvidence(signals, {
    description,
    isOnKnownPlatforms: isKnownOn(game, subject.platformIds),
    isEdition: namesEdition(prepared.main),
    isOneWord,
    isSpecialTypeAlone: isSpecialTypeAlone(subject.type, game.type),
  })

  return {
    gameId: game._id,
    // Another program may have stored null.
    name: game.name ?? '',
    slug: game.slug ?? '',
    score: round(1 / (1 + Math.exp(-combineOdds(evidence)))),
    breakdown: signals,
    points: evidenceToPoints(evidence),
    dateSignal: toDateSignal(signals.date),
    descriptionSignal: toDescriptionSignal(description),
    hasCompanyMismatch: signals.companies === COMPANY_SIGNALS.other,
    matchedTitle,
    ...(game.isCustom === true && { isCustom: true }),
  }
}
