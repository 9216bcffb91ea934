import { ignoreCase } from '../names/normalise-name.ts'
import { companyWords, readGameCompanies } from './facts/compare-companies.ts'
import { compareDates, listReleases, toYear } from './facts/compare-dates.ts'
import { findTypeGroup, isAdditionToOther } from './facts/compare-types.ts'
import type { MatchedGame } from './match.ts'
import type { PreparedSubject } from './prepare-subject.ts'
import { createStepBudget, MAX_STEPS_PER_GAME, type StepBudget } from './step-budget.ts'
import { compareNames, createSideNames, EITHER, isWithin, type SideNames } from './titles/abbreviations.ts'
import { compareTitles } from './titles/compare-titles.ts'
import { analyseName, cut, isDistinctive, type Name, readNames, type TitleForm } from './titles/title-forms.ts'
import { readType } from './titles/type-words.ts'
import type { Circumstances } from './titles/unmatched-words.ts'
import { DATE_SIGNALS, TITLE_SIGNALS, TOGETHER, WEIGHTS } from './weights.ts'

const STEPS_OF_LETTER = 2

export type TitleMatch = ReturnType<typeof matchTitles>

/** Describes a pair of names by its signal and the name of the game. `compared` is the name or its full form. */
const describePair = (signal: number, { title }: TitleForm, { tokens }: TitleForm) => ({
  signal,
  matchedTitle: title,
  isOneWord: tokens.filter(isDistinctive).length < 2,
})

/** True when the name holds a second title that the other side lacks. */
const isHalf = ({ twin }: TitleForm, { forms }: SideNames) =>
  twin !== undefined && !forms.some(({ text }) => text === twin)

function analyse(name: Name, budget: StepBudget): TitleForm {
  budget.spend(STEPS_OF_LETTER * (cut(name.text).length + cut(name.twin ?? '').length))
  return analyseName(name)
}

/** Analyses the other names of the game. A name of the subject comes first, so that the budget never excludes it. */
function analyseOthers({ names }: PreparedSubject, rest: readonly Name[], budget: StepBudget): TitleForm[] {
  const written = new Set(names.forms.map(({ title }) => ignoreCase(title)))
  const equal = rest.find(({ text }) => written.has(ignoreCase(cut(text))))
  return [
    ...(equal === undefined ? [] : [analyse(equal, budget)]),
    ...rest.flatMap((name) => (name === equal || budget.isSpent ? [] : analyse(name, budget))),
  ]
}

/** Finds the pair of names with the highest signal. */
function findBestPair(
  prepared: PreparedSubject,
  { mainName, rest }: { mainName: TitleForm; rest: readonly Name[] },
  circumstances: Circumstances,
) {
  const { main, names } = prepared
  const { budget } = circumstances
  const signal = compareTitles(main, mainName, circumstances)
  if (signal >= TITLE_SIGNALS.alternative) return describePair(signal, mainName, mainName)

  const alternatives = analyseOthers(prepared, rest, budget)
  const gameNames = createSideNames([mainName, ...alternatives], budget)
  const compare = (left: TitleForm, right: TitleForm, signal: number, how: Circumstances) =>
    compareNames({ form: left, names }, { form: right, names: gameNames }, signal, how)
  const ofMainNames = compare(main, mainName, signal, circumstances)

  const isOtherNumber = ofMainNames.signal === TITLE_SIGNALS.differentNumbers
  const alternative = isOtherNumber ? TITLE_SIGNALS.alternativeAgainstNumbers : TITLE_SIGNALS.alternative
  const pairs = [mainName, ...alternatives.filter(({ text }) => text !== '')].flatMap((right) =>
    names.forms.map((left) => ({ left, right })),
  )
  // The first pair is that of the two main names.
  return pairs.slice(1).reduce(
    (best, { left, right }) => {
      if (budget.isSpent && left.text !== right.text) return best
      const factor = isHalf(left, gameNames) || isHalf(right, names) ? TITLE_SIGNALS.half : alternative
      const how = { ...circumstances, isAlternative: right !== mainName }
      const asWritten = compareTitles(left, right, how)
      if (asWritten * factor <= best.signal) return best
      const found = compare(left, right, asWritten, how)
      if (found.signal * factor <= best.signal) return best
      // `Warcraft III` is short for `Warcraft III: Reign of Chaos`, and for no other game whose name begins so.
      const isShortForm = how.isAlternative && isWithin(found.full, mainName, budget)
      if (isShortForm && found.signal < TITLE_SIGNALS.platform) return best
      return describePair(found.signal * factor, right, found.form)
    },
    describePair(ofMainNames.signal, mainName, ofMainNames.form),
  )
}

function readCircumstances(
  { released, companies, type, main }: PreparedSubject,
  game: MatchedGame,
  mainName: TitleForm,
  releases: readonly number[],
): Omit<Circumstances, 'budget'> {
  const gameType = findTypeGroup(game.type)
  let makers: ReadonlySet<string> | undefined
  return {
    years: {
      left: new Set(released === null ? [] : [toYear(released.from)]),
      right: new Set(releases.map(toYear)),
    },
    types: { left: readType(type, gameType, main), right: readType(gameType, type, mainName) },
    isAlternative: false,
    isSameDay: compareDates(released, releases) === DATE_SIGNALS.sameDay,
    makers() {
      makers ??= companyWords([...companies, ...readGameCompanies(game.companies)])
      return makers
    },
    shortened: EITHER,
  }
}

/** Compares the names of a subject with those of a game, and reads what the titles say about type and dates. */
export function matchTitles(
  prepared: PreparedSubject,
  game: MatchedGame,
  budget: StepBudget = createStepBudget(MAX_STEPS_PER_GAME),
) {
  const [first = { text: '' }, ...rest] = readNames(game.name, game.alternative_names)
  const mainName = analyse(first, budget)
  const releases = listReleases(game, mainName.year)
  const circumstances = readCircumstances(prepared, game, mainName, releases)
  const { types } = circumstances
  const best = findBestPair(prepared, { mainName, rest }, { ...circumstances, budget })
  const isAddition = best.signal < WEIGHTS.title.neutral && isAdditionToOther(types.left, types.right)
  return {
    ...best,
    signal: best.signal * (isAddition ? TOGETHER.addOnTitle : 1),
    types,
    releases,
    /** True when a title contains its year, to distinguish games of one name. */
    isYearNamed: prepared.main.year !== null || mainName.year !== null,
  }
}
