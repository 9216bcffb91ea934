import type { TypeGroup } from '../facts/compare-types.ts'
import { TITLE_SIGNALS } from '../weights.ts'
import { isOptionalOne, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import { isStatus } from './title-words.ts'
import { namesType } from './type-words.ts'
import type { Circumstances, Unmatched } from './unmatched-words.ts'

/** A kind of word that one of two titles of a game may lack. */
interface OptionalWord {
  signal: number
  matches(
    token: TitleToken,
    circumstances: Circumstances,
    side: { form: TitleForm; isLeft: boolean; other: Unmatched },
  ): boolean
  /** Not where both have a number or a platform: it tells `F1 2019` from `F1 2020`, `Mario Kart DS` from `Mario Kart Wii`. */
  unlessBothNumbered?: true
  /** Not where the other has something instead: `Baldur's Gate` is no `Stein's Gate`. */
  unlessReplaced?: true
}

/** What may be called by its own name as well as `DLC` or `Bundle`: a remake has that of its game. */
const HAS_OWN_NAME: readonly (TypeGroup | undefined)[] = ['addon', 'bundle', 'mod', 'standalone', 'fan disc']

/** Whether a title ends in words that the other lacks, those that say its type aside. */
const endsOtherwise = ({ form, tokens }: Unmatched, type: TypeGroup | undefined) => {
  const last = Math.max(...form.tokens.map(({ part, isAside }) => (isAside ? 0 : part)))
  return tokens.some((token) => token.part === last && (token.kind === 'content' || !namesType(token, type)))
}

/** `(DLC)` says nothing of which one. */
const isBareType = ({ text }: TitleToken) => text === 'dlc'

const OPTIONAL_WORDS: readonly OptionalWord[] = [
  {
    signal: TITLE_SIGNALS.ownType,
    matches: (token, { types, isSameDay = false }, { isLeft, other }) => {
      const type = types?.[isLeft ? 'right' : 'left']
      // A remake or remaster does not come out on the day of its original.
      if (type === undefined && isSameDay) return namesType(token, 'remake') || namesType(token, 'remaster')
      // Neither is explained where both say another: `Age of Empires II HD` and its Definitive Edition.
      if (!namesType(token, type) || other.tokens.some((each) => !isBareType(each) && namesType(each, type)))
        return false
      return !(HAS_OWN_NAME.includes(type) && endsOtherwise(other, type))
    },
  },
  { signal: TITLE_SIGNALS.status, matches: ({ kind, text }) => kind === 'derivative' && isStatus(text) },
  { signal: TITLE_SIGNALS.reissue, matches: ({ kind }) => kind === 'reissue' },
  { signal: TITLE_SIGNALS.namedEdition, matches: ({ kind }) => kind === 'namedEdition' },
  { signal: TITLE_SIGNALS.neutralEdition, matches: ({ kind }) => kind === 'neutral' },
  {
    signal: TITLE_SIGNALS.aside,
    matches: ({ isAside, kind }) => isAside && (kind === 'word' || kind === 'platform'),
    unlessBothNumbered: true,
  },
  {
    signal: TITLE_SIGNALS.ownYear,
    matches: ({ year }, { years }, { isLeft }) =>
      year !== undefined && years?.[isLeft ? 'right' : 'left'].has(year) === true,
    unlessBothNumbered: true,
  },
  { signal: TITLE_SIGNALS.platform, matches: ({ kind }) => kind === 'platform', unlessBothNumbered: true },
  {
    signal: TITLE_SIGNALS.numberOne,
    matches: (token, _, { form }) => isOptionalOne(token, form) && token.part === 0 && !token.isCount,
    unlessBothNumbered: true,
  },
  {
    signal: TITLE_SIGNALS.brand,
    matches: ({ isBrand, isFirst, text }, { makers }) => isBrand || (isFirst && makers?.().has(text) === true),
    unlessReplaced: true,
  },
]

/** A plain word needs none of the checks above. */
const mayBeOptional = ({ kind, isAside, isBrand, isFirst }: TitleToken) =>
  kind !== 'word' || isAside || isBrand || isFirst

/** Drops the optional words of both sides, each at the price of some similarity. */
export function withoutOptionalWords(
  left: Unmatched,
  right: Unmatched,
  circumstances: Circumstances,
): { left: Unmatched; right: Unmatched; similarity: number } {
  const sides = { left, right, similarity: 1 }
  if (!left.tokens.some(mayBeOptional) && !right.tokens.some(mayBeOptional)) return sides
  const isNumbered = ({ tokens }: Unmatched) => tokens.some(({ kind }) => kind === 'number' || kind === 'platform')
  for (const { signal, matches, unlessBothNumbered, unlessReplaced } of OPTIONAL_WORDS) {
    const { left: leftBefore, right: rightBefore } = sides
    const without = ({ form, tokens }: Unmatched, other: Unmatched): Unmatched => ({
      form,
      tokens: tokens.filter((token) => !matches(token, circumstances, { form, isLeft: other === rightBefore, other })),
    })
    const [lessLeft, lessRight] = [without(leftBefore, rightBefore), without(rightBefore, leftBefore)]
    const count = leftBefore.tokens.length + rightBefore.tokens.length
    if (lessLeft.tokens.length + lessRight.tokens.length === count) continue
    if (unlessReplaced && leftBefore.tokens.length > 0 && rightBefore.tokens.length > 0) continue
    if (unlessBothNumbered && isNumbered(leftBefore) && isNumbered(rightBefore)) continue
    Object.assign(sides, { left: lessLeft, right: lessRight, similarity: sides.similarity * signal })
  }
  return sides
}
