import { TITLE_SIGNALS } from '../weights.ts'
import { alignTitles } from './align-titles.ts'
import { withoutOptionalWords } from './optional-words.ts'
import { isDistinctive, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import { type Circumstances, compareUnmatched } from './unmatched-words.ts'

const isBare = ({ tokens }: TitleForm) => tokens.every(({ kind }) => kind === 'stopword')

/** A long word may begin with a wrong letter. */
const LONG_WORD = 7

/** Whether one of the other's words begins like enough of these that aligning them can come to anything. */
function mayAgree({ tokens }: TitleForm, other: TitleForm): boolean {
  if (other.tokens.length < tokens.length) return true
  let distinctive = 0
  let begun = 0
  for (const token of tokens) {
    if (!isDistinctive(token)) continue
    distinctive++
    const { text, value } = token
    if (text.length >= LONG_WORD || other.starts.has(text[0]) || (value !== undefined && other.starts.has(value[0])))
      begun++
  }
  return begun * 2 >= distinctive
}

/** The cost of two titles that are told apart before they are aligned. */
const STEPS_OF_COMPARISON = 10

const sortedWords = (tokens: readonly TitleToken[]) =>
  tokens
    .map(({ text }) => text)
    .sort()
    .join(' ')

/** How alike the title of a subject and one of the catalogue are, from 0 to 1. */
export function compareTitles(left: TitleForm, right: TitleForm, circumstances: Circumstances = {}): number {
  circumstances.budget?.spend(STEPS_OF_COMPARISON)
  if (left.text === right.text) return TITLE_SIGNALS.equal
  // `!!!`, `The`: nothing of such a title can be left out.
  if (isBare(left) || isBare(right)) return 0
  if (!mayAgree(left, right) || !mayAgree(right, left)) return 0
  return compareAligned(adoptParts(left, right), adoptParts(right, left), circumstances)
}

/** A title without dividers whose end is a later part of the other has that part, too. */
function adoptParts(form: TitleForm, other: TitleForm): TitleForm {
  if (form.parts > 1 || other.parts === 1) return form
  const tail = other.tokens.filter(({ part, isAside }) => part > 0 && !isAside)
  const from = form.tokens.length - tail.length
  if (tail.length === 0 || from <= 0 || tail.some(({ text }, at) => form.tokens[from + at]?.text !== text)) return form
  const tokens = form.tokens.map((token, at) => (at < from ? token : { ...token, part: tail[at - from]?.part ?? 0 }))
  return { ...form, tokens, parts: other.parts }
}

/** Whether a small word is missing, and nothing else of its part. */
const isStopwordMissing = (tokens: readonly TitleToken[]) =>
  tokens.some(
    ({ kind, part }) =>
      kind === 'stopword' && !tokens.some((other) => other.part === part && other.kind !== 'stopword'),
  )

function compareAligned(left: TitleForm, right: TitleForm, circumstances: Circumstances): number {
  const aligned = alignTitles(left.tokens, right.tokens, circumstances)
  const pickTokens = (form: TitleForm, places: readonly number[]): TitleToken[] =>
    places.flatMap((place) => form.tokens[place] ?? [])
  const missing = [pickTokens(left, aligned.left), pickTokens(right, aligned.right)]
  const [missingLeft = [], missingRight = []] = missing.map((tokens) =>
    tokens.filter(({ kind }) => kind !== 'stopword'),
  )

  const similarity = aligned.similarity * (missing.some(isStopwordMissing) ? TITLE_SIGNALS.stopwords : 1)
  if (missingLeft.length > 0 && sortedWords(missingLeft) === sortedWords(missingRight))
    return similarity * TITLE_SIGNALS.otherOrder
  const unmatched = withoutOptionalWords(
    { form: left, tokens: missingLeft },
    { form: right, tokens: missingRight },
    circumstances,
  )
  return similarity * unmatched.similarity * compareUnmatched(unmatched.left, unmatched.right, circumstances)
}
