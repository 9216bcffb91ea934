import type { StepBudget } from '../step-budget.ts'
import { TITLE_SIGNALS } from '../weights.ts'
import { alignTitles } from './align-titles.ts'
import { compareTitles } from './compare-titles.ts'
import { isDistinctive, readTokens, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import type { Circumstances } from './unmatched-words.ts'
import type { Abbreviating } from './word-similarity.ts'

export const EITHER: Abbreviating = { left: true, right: true }
const NEITHER: Abbreviating = { left: false, right: false }

/** Matches any figures, also those in the name of a platform: the 1 of `PS1`. */
const FIGURES = /^\d+$/
const SHORTEST = 3

const isWord = (token: TitleToken) => isDistinctive(token) && !FIGURES.test(token.text)

/** Rewrites a title without some tokens, and with numbers at its end. */
function rewrite(form: TitleForm, without: readonly TitleToken[], numbers: readonly TitleToken[]): TitleForm {
  const kept = form.tokens.filter((token) => !without.includes(token))
  const parts = [...new Set(kept.map(({ part }) => part))]
  const tokens = [
    ...kept.map((token) => ({ ...token, part: parts.indexOf(token.part) })),
    ...numbers.map((token) => ({ ...token, part: parts.length - 1 })),
  ]
  return { ...form, ...readTokens(tokens), parts: parts.length }
}

/** True when the other title contains every distinctive word of a title. */
export const isWithin = (form: TitleForm, other: TitleForm, budget: StepBudget) =>
  !alignTitles(form.tokens, other.tokens, { shortened: EITHER, budget }).left.some(isDistinctive)

/** Writes out an abbreviation by another name of the same side: `GoW 2` as `God of War II`. Null when no name explains it. */
function spellOut(form: TitleForm, names: readonly TitleForm[], budget: StepBudget): TitleForm | null {
  for (const name of names) {
    if (budget.isSpent) return null
    if (name === form || name.core.length <= form.core.length) continue
    const { left, right } = alignTitles(form.tokens, name.tokens, { shortened: EITHER, budget })
    if (left.some(isWord)) continue
    const plain = alignTitles(form.tokens, name.tokens, { shortened: NEITHER, budget })
    if (plain.left.some(isWord)) return rewrite(name, right, left.filter(isDistinctive))
  }
  return null
}

export type SideNames = ReturnType<typeof createSideNames>

/** Caches the full form of each name, because a name is compared with many. */
export function createSideNames(forms: readonly TitleForm[], budget: StepBudget) {
  const written = new Map<TitleForm, TitleForm | null>()
  return {
    /** The main name first. */
    forms,
    spellOut(form: TitleForm): TitleForm | null {
      const cached = written.get(form)
      if (cached !== undefined) return cached
      const full = spellOut(form, forms, budget)
      written.set(form, full)
      return full
    },
  }
}

interface Named {
  form: TitleForm
  names: SideNames
}

const CAPITALS = /\p{Lu}.*\p{Lu}/u

/** True when initials rarely agree by chance: in a name of several words, or in a main name of at least three letters. */
function isSure({ form, names }: Named): boolean {
  const words = form.tokens.filter(isWord)
  const [word] = words
  if (words.length !== 1 || word === undefined) return true
  const isNumbered = word.text.length > 1 && form.tokens.some(({ text }) => FIGURES.test(text))
  return form === names.forms[0] && (word.text.length >= SHORTEST || isNumbered)
}

/** Abbreviations are not tried for titles with a lower signal. */
const LEAST = 0.4
/** The cost of comparing two names as abbreviations, without alignments. */
const STEPS_OF_NAMES = 40

/**
 * Corrects the signal of two names by their full forms, where other names of their side explain an abbreviation: the `GoW`
 * of God of War is no Gears of War.
 * @returns the signal, the form of the right name that gave it, and the full form of the right name
 */
export function compareNames(left: Named, right: Named, signal: number, circumstances: Circumstances) {
  if (signal < LEAST) return { signal, form: right.form, full: right.form }
  circumstances.budget.spend(STEPS_OF_NAMES)
  const [fullLeft, fullRight] = [left.names.spellOut(left.form), right.names.spellOut(right.form)]
  const full = fullRight ?? right.form
  // The catalogue writes initials in capitals (`GoW`), so its `Doom` is a word. People write `gow`, too.
  const sure = { left: isSure(left), right: isSure(right) && CAPITALS.test(right.form.title) }
  const compare = (a: TitleForm, b: TitleForm, mayShorten: Abbreviating) => {
    const shortened = { left: mayShorten.left && sure.left, right: mayShorten.right && sure.right }
    const least = compareTitles(a, b, { ...circumstances, shortened })
    if (shortened.left === mayShorten.left && shortened.right === mayShorten.right) return least
    const most = compareTitles(a, b, { ...circumstances, shortened: mayShorten })
    return Math.max(least, most * TITLE_SIGNALS.unknownInitials)
  }
  const unexplained = { left: fullLeft === null, right: fullRight === null }
  const spelled = compare(fullLeft ?? left.form, full, EITHER)
  const asWritten = unexplained.left === unexplained.right ? 0 : compare(left.form, right.form, unexplained)
  return asWritten >= spelled ? { signal: asWritten, form: right.form, full } : { signal: spelled, form: full, full }
}
