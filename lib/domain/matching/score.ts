import { compareCompanies, readCompanies } from './facts/compare-companies.ts'
import { compareDates, isAfterFirst, readReleased } from './facts/compare-dates.ts'
import {
  compareDescriptions,
  compareGenres,
  comparePlatforms,
  readDescription,
  readReach,
} from './facts/compare-facts.ts'
import { compareTypes, findTypeGroup, isSpecialTypeAlone } from './facts/compare-types.ts'
import type { GameMatch, MatchedGame, MatchSubject, PreparedSubject } from './match.ts'
import { analyseName, MAX_STEPS_PER_GAME, matchTitles, type TitleMatch } from './match-titles.ts'
import { combineOdds, evidenceToPoints, weighEvidence } from './odds.ts'
import { createStepBudget } from './step-budget.ts'
import { createSideNames } from './titles/abbreviations.ts'
import { readNames } from './titles/read-names.ts'
import { analyseTitle, namesEdition } from './titles/title-forms.ts'
import { COMPANY_SIGNALS, WEIGHTS } from './weights.ts'

export function prepareSubject(subject: MatchSubject): PreparedSubject {
  const [main = analyseTitle(''), ...alternatives] = readNames(subject.name, subject.alternativeNames).map(analyseName)
  const seen = new Set(['', main.text])
  const others = alternatives.filter(({ text }) => !seen.has(text) && seen.add(text))
  const names = createSideNames([main, ...others], createStepBudget(MAX_STEPS_PER_GAME))
  for (const form of names.forms) names.spellOut(form)
  return {
    subject,
    main,
    others,
    names,
    type: findTypeGroup(subject.type),
    companies: readCompanies(subject.companies),
    description: readDescription(subject.summary),
    released: readReleased(subject.released) ?? readReleased(main.year?.toString()),
  }
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
  { signal: title, matchedTitle, isOneWord, types, isYearNamed, releases }: TitleMatch = matchTitles(prepared, game),
): GameMatch {
  const { subject } = prepared
  const signals = {
    title,
    companies: compareCompanies(prepared.companies, game.companies),
    date: compareDates(prepared.released, releases),
    platforms: comparePlatforms(subject.platformIds, game),
    genre: compareGenres(subject.genres, game.genres),
    type: compareTypes(types.left, types.right),
  }
  const description = compareDescriptions(prepared.description, readDescription(game.summary), [
    subject.name,
    matchedTitle,
  ])
  const evidence = weighEvidence(signals, {
    description,
    ...readReach(game, subject.platformIds),
    isAfterFirst: isAfterFirst(prepared.released, releases),
    isEdition: namesEdition(prepared.main),
    isOneWord,
    isYearNamed,
    isSpecialTypeAlone: isSpecialTypeAlone(types.left, types.right),
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
