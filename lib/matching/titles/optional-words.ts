import { TITLE_SIGNALS } from '../weights.ts'
import { isLoneOne, type TitleForm } from './title-forms.ts'
import type { TitleToken } from './title-tokens.ts'
import type { Circumstances, Rest } from './unmatched-words.ts'

/** What one title may have and the other not, before the rest of both is looked at. */
interface Idle {
  signal: number
  isMeant(token: TitleToken, circumstances: Circumstances, side: { form: TitleForm; isLeft: boolean }): boolean
  /** Not where both have a number or a platform: it tells `F1 2019` from `F1 2020`, `Mario Kart DS` from `Mario Kart Wii`. */
  isToldByBoth?: true
  /** Not where the other has something instead: `Baldur's Gate` is no `Stein's Gate`. */
  isAlone?: true
}

const IDLE: readonly Idle[] = [
  { signal: TITLE_SIGNALS.reissue, isMeant: ({ is }) => is === 'reissue' },
  { signal: TITLE_SIGNALS.namedEdition, isMeant: ({ is }) => is === 'named' },
  { signal: TITLE_SIGNALS.neutralEdition, isMeant: ({ is }) => is === 'neutral' },
  {
    signal: TITLE_SIGNALS.aside,
    isMeant: ({ isAside, is }) => isAside && (is === 'word' || is === 'platform'),
    isToldByBoth: true,
  },
  {
    signal: TITLE_SIGNALS.ownYear,
    isMeant: ({ year }, { years }, { isLeft }) =>
      year !== undefined && years?.[isLeft ? 'right' : 'left'].has(year) === true,
    isToldByBoth: true,
  },
  { signal: TITLE_SIGNALS.platform, isMeant: ({ is }) => is === 'platform', isToldByBoth: true },
  {
    signal: TITLE_SIGNALS.numberOne,
    isMeant: (token, _, { form }) => isLoneOne(token, form) && token.part === 0 && !token.isCount,
    isToldByBoth: true,
  },
  {
    signal: TITLE_SIGNALS.brand,
    isMeant: ({ isBrand, isFirst, text }, { makers }) => isBrand || (isFirst && makers?.().has(text) === true),
    isAlone: true,
  },
]

/** Of a word that is no more nothing needs to be asked. */
const mayBeIdle = ({ is, isAside, isBrand, isFirst }: TitleToken) => is !== 'word' || isAside || isBrand || isFirst

/** Takes from both what is idle, and tells what that costs. */
export function withoutOptionalWords(
  left: Rest,
  right: Rest,
  circumstances: Circumstances,
): { left: Rest; right: Rest; likeness: number } {
  const sides = { left, right, likeness: 1 }
  if (!left.tokens.some(mayBeIdle) && !right.tokens.some(mayBeIdle)) return sides
  const tellsApart = ({ tokens }: Rest) => tokens.some(({ is }) => is === 'number' || is === 'platform')
  for (const { signal, isMeant, isToldByBoth, isAlone } of IDLE) {
    const without = ({ form, tokens }: Rest, isLeft: boolean): Rest => ({
      form,
      tokens: tokens.filter((token) => !isMeant(token, circumstances, { form, isLeft })),
    })
    const { left: ofLeft, right: ofRight } = sides
    const [lessLeft, lessRight] = [without(ofLeft, true), without(ofRight, false)]
    const count = ofLeft.tokens.length + ofRight.tokens.length
    if (lessLeft.tokens.length + lessRight.tokens.length === count) continue
    if (isAlone && ofLeft.tokens.length > 0 && ofRight.tokens.length > 0) continue
    if (isToldByBoth && tellsApart(ofLeft) && tellsApart(ofRight)) continue
    Object.assign(sides, { left: lessLeft, right: lessRight, likeness: sides.likeness * signal })
  }
  return sides
}
