import { readCompanies } from './facts/compare-companies.ts'
import { readReleased } from './facts/compare-dates.ts'
import { readDescription, readGenres, readIds } from './facts/compare-facts.ts'
import { findTypeGroup } from './facts/compare-types.ts'
import type { MatchSubject } from './match.ts'
import { createStepBudget, MAX_STEPS_PER_GAME } from './step-budget.ts'
import { createSideNames } from './titles/abbreviations.ts'
import { analyseName, analyseTitle, readNames } from './titles/title-forms.ts'

export type PreparedSubject = ReturnType<typeof prepareSubject>

/** Analyses a subject once, for its comparisons with many games. */
export function prepareSubject(subject: MatchSubject) {
  const [main = analyseTitle(''), ...alternatives] = readNames(subject.name, subject.alternativeNames).map(analyseName)
  const seen = new Set(['', main.text])
  const others = alternatives.filter(({ text }) => !seen.has(text) && seen.add(text))
  const names = createSideNames([main, ...others], createStepBudget(MAX_STEPS_PER_GAME))
  for (const form of names.forms) names.spellOut(form)
  return {
    subject,
    main,
    names,
    type: findTypeGroup(subject.type),
    companies: readCompanies(subject.companies),
    platforms: readIds(subject.platformIds),
    genres: readGenres(subject.genres),
    description: readDescription(subject.summary),
    released: readReleased(subject.released) ?? readReleased(main.year?.toString()),
  }
}
