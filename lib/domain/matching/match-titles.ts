import { ignoreCase } from '../names/normalise-name.ts'
import { companyWords, readGameCompanies } from './facts/compare-companies.ts'
import { compareDates, listReleases, toYear } from './facts/compare-dates.ts'
import { findTypeGroup, isAdditionToOther } from './facts/compare-types.ts'
import type { MatchedGame, PreparedSubject } from './match.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'
import { compareNames, createSideNames, isWithin, type SideNames } from './titles/abbreviations.ts'
import { compareTitles } from './titles/compare-titles.ts'
import { type Name, readNames } from './titles/read-names.ts'
import { analyseTitle, isDistinctive, type TitleForm } from './titles/title-forms.ts'
import { readType } from './titles/type-words.ts'
import type { Circumstances } from './titles/unmatched-words.ts'
import { DATE_SIGNALS, TITLE_SIGNALS, TOGETHER, WEIGHTS } from './weights.ts'

const MAX_LETTERS = 200
/** The budget for the names of one game: twice the dearest labelled pair. */
export const MAX_STEPS_PER_GAME = 7_000
const STEPS_OF_LETTER = 2

const cut = (text: string) => text.slice(0, MAX_LETTERS)

export const analyseName = ({ text, twin }: Name): TitleForm => ({
  ...analyseTitle(cut(text)),
  twin: twin === undefined ? undefined : analyseTitle(cut(twin)).text,
})

interface AgreedTitle {
  signal: number
  matchedTitle: string
  isOneWord: boolean
}

export interface TitleMatch extends AgreedTitle {
  /** Facts that the titles reveal. */
  types: NonNullable<Circumstances['types']>
  releases: readonly number[]
  /** True when a title contains its year, to distinguish games of one name. */
  isYearNamed: boolean
}

/** A name of the subject and one of the game. */
type Candidate = readonly [mine: TitleForm, form: TitleForm]

const isOneWord = ({ tokens }: TitleForm) => tokens.filter(isDistinctive).length < 2

const toAgreed = (signal: number, { title }: TitleForm, compared: TitleForm): AgreedTitle => ({
  signal,
  matchedTitle: title,
  isOneWord: isOneWord(compared),
})

/** True when the name holds a second title that the other side lacks. */
const isHalf = ({ twin }: TitleForm, { forms }: SideNames) =>
  twin !== undefined && !forms.some(({ text }) => text === twin)

function readCircumstances({ released, companies }: PreparedSubject, game: MatchedGame, releases: readonly number[]) {
  let words: ReadonlySet<string> | undefined
  return {
    years: {
      left: new Set(released === null ? [] : [toYear(released.from)]),
      right: new Set(releases.map(toYear)),
    },
    makers() {
      words ??= companyWords([...companies, ...readGameCompanies(game.companies)])
      return words
    },
    isSameDay: compareDates(released, releases) === DATE_SIGNALS.sameDay,
  }
}

interface Compared {
  prepared: PreparedSubject
  /** The main name of the game; `rest` holds its other names as text. */
  mainName: TitleForm
  rest: readonly Name[]
  circumstances: Circumstances & { budget: StepBudget }
}

const createAnalysis = (budget: StepBudget) => (name: Name) => {
  budget.spend(STEPS_OF_LETTER * (cut(name.text).length + cut(name.twin ?? '').length))
  return analyseName(name)
}

/** Analyses the other names of the game. An equal name comes first, so that the budget never excludes it. */
function analyseOthers({ prepared, rest, circumstances: { budget } }: Compared): TitleForm[] {
  const analyse = createAnalysis(budget)
  const written = new Set(prepared.names.forms.map(({ title }) => ignoreCase(title)))
  const equal = rest.find(({ text }) => written.has(ignoreCase(cut(text))))
  return [
    ...(equal === undefined ? [] : [analyse(equal)]),
    ...rest.flatMap((name) => (name === equal || budget.isSpent ? [] : analyse(name))),
  ]
}

/** Lists all pairs of names except the two main names. */
const listCandidates = ({ prepared, mainName }: Compared, alternatives: readonly TitleForm[]): Candidate[] => [
  ...prepared.others.map((mine): Candidate => [mine, mainName]),
  ...alternatives
    .filter(({ text }) => text !== '')
    .flatMap((form) => prepared.names.forms.map((mine): Candidate => [mine, form])),
]

/** Finds the best candidate. `compare` answers null for one that is no better than the best before it. */
const bestOf = (
  candidates: readonly Candidate[],
  first: AgreedTitle,
  compare: (candidate: Candidate, least: number) => AgreedTitle | null,
): AgreedTitle => candidates.reduce((best, candidate) => compare(candidate, best.signal) ?? best, first)

function findAgreed(compared: Compared): AgreedTitle {
  const { prepared, mainName, circumstances } = compared
  const { main, names: mines } = prepared
  const { budget } = circumstances
  const signal = compareTitles(main, mainName, circumstances)
  if (signal >= TITLE_SIGNALS.alternative) return toAgreed(signal, mainName, mainName)

  const alternatives = analyseOthers(compared)
  const theirs = createSideNames([mainName, ...alternatives], budget)
  const compare = ([mine, form]: Candidate, signal: number, how: Circumstances) =>
    compareNames({ form: mine, names: mines }, { form, names: theirs }, signal, how)
  const mains = compare([main, mainName], signal, circumstances)

  const isOtherNumber = mains.signal === TITLE_SIGNALS.differentNumbers
  const alternative = isOtherNumber ? TITLE_SIGNALS.alternativeAgainstNumbers : TITLE_SIGNALS.alternative
  // `Warcraft III` beside `Warcraft III: Reign of Chaos` stands for it, and not for what else begins so.
  const leastSignal = (form: TitleForm) => (isWithin(form, mainName, budget) ? TITLE_SIGNALS.platform : 0)
  return bestOf(
    listCandidates(compared, alternatives),
    toAgreed(mains.signal, mainName, mains.form),
    (candidate, least) => {
      const [mine, form] = candidate
      if (budget.isSpent && mine.text !== form.text) return null
      const factor = isHalf(mine, theirs) || isHalf(form, mines) ? TITLE_SIGNALS.half : alternative
      const how = { ...circumstances, isAlternative: form !== mainName }
      const asWritten = compareTitles(mine, form, how)
      if (asWritten * factor <= least) return null
      const found = compare(candidate, asWritten, how)
      if (found.signal * factor <= least) return null
      if (how.isAlternative && found.signal < leastSignal(found.full)) return null
      return toAgreed(found.signal * factor, form, found.form)
    },
  )
}

/** Finds the pair of names that agrees best. */
export function matchTitles(
  prepared: PreparedSubject,
  game: MatchedGame,
  budget: StepBudget = createStepBudget(MAX_STEPS_PER_GAME),
): TitleMatch {
  const [first = { text: '' }, ...rest] = readNames(game.name, game.alternative_names)
  const mainName = createAnalysis(budget)(first)
  const storedTypes = { left: prepared.type, right: findTypeGroup(game.type) }
  const types = {
    left: readType(storedTypes.left, storedTypes.right, prepared.main),
    right: readType(storedTypes.right, storedTypes.left, mainName),
  }
  const releases = listReleases(game, mainName.year)
  const circumstances = { ...readCircumstances(prepared, game, releases), types, budget }
  const agreed = findAgreed({ prepared, mainName, rest, circumstances })
  const isAddition = agreed.signal < WEIGHTS.title.neutral && isAdditionToOther(types.left, types.right)
  return {
    ...agreed,
    signal: agreed.signal * (isAddition ? TOGETHER.addOnTitle : 1),
    types,
    releases,
    isYearNamed: prepared.main.year !== null || mainName.year !== null,
  }
}
