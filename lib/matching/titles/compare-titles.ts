import { TITLE_SIGNALS } from '../weights.ts'
import { alignTitles } from './align-titles.ts'
import { withoutOptionalWords } from './optional-words.ts'
import { isTelling, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import { type Circumstances, signalOfRest } from './unmatched-words.ts'

const isBare = ({ tokens }: TitleForm) => tokens.every(({ is }) => is === 'small')

/** Of a long word the first letter may be wrong. */
const LONG_WORD = 7

/** Whether one of the other's words begins like enough of these that aligning them can come to anything. */
function mayAgree({ tokens }: TitleForm, other: TitleForm): boolean {
  if (other.tokens.length < tokens.length) return true
  let told = 0
  let begun = 0
  for (const token of tokens) {
    if (!isTelling(token)) continue
    told++
    const { text, value } = token
    if (text.length >= LONG_WORD || other.starts.has(text[0]) || (value !== undefined && other.starts.has(value[0])))
      begun++
  }
  return begun * 2 >= told
}

/** What two titles cost that are told apart before they are aligned. */
const STEPS_OF_COMPARISON = 10

const inOrder = (tokens: readonly TitleToken[]) =>
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
  return compareAligned(withPartsOf(left, right), withPartsOf(right, left), circumstances)
}

/** A title without dividers whose end is a later part of the other has that part, too. */
function withPartsOf(form: TitleForm, other: TitleForm): TitleForm {
  if (form.parts > 1 || other.parts === 1) return form
  const tail = other.tokens.filter(({ part, isAside }) => part > 0 && !isAside)
  const from = form.tokens.length - tail.length
  if (tail.length === 0 || from <= 0 || tail.some(({ text }, at) => form.tokens[from + at]?.text !== text)) return form
  const tokens = form.tokens.map((token, at) => (at < from ? token : { ...token, part: tail[at - from]?.part ?? 0 }))
  return { ...form, tokens, parts: other.parts }
}

/** Whether a small word is missing, and nothing else of its part. */
const isSmallMissing = (tokens: readonly TitleToken[]) =>
  tokens.some(({ is, part }) => is === 'small' && !tokens.some((other) => other.part === part && other.is !== 'small'))

function compareAligned(left: TitleForm, right: TitleForm, circumstances: Circumstances): number {
  const aligned = alignTitles(left.tokens, right.tokens, circumstances)
  const missingOf = (form: TitleForm, places: readonly number[]): TitleToken[] =>
    places.flatMap((place) => form.tokens[place] ?? [])
  const missing = [missingOf(left, aligned.left), missingOf(right, aligned.right)]
  const [ofLeft = [], ofRight = []] = missing.map((tokens) => tokens.filter(({ is }) => is !== 'small'))

  const likeness = aligned.alikeness * (missing.some(isSmallMissing) ? TITLE_SIGNALS.small : 1)
  if (ofLeft.length > 0 && inOrder(ofLeft) === inOrder(ofRight)) return likeness * TITLE_SIGNALS.otherOrder
  const rest = withoutOptionalWords({ form: left, tokens: ofLeft }, { form: right, tokens: ofRight }, circumstances)
  return likeness * rest.likeness * signalOfRest(rest.left, rest.right, circumstances)
}
