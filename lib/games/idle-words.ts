import { TITLE_SIGNALS } from './match-weights.ts'
import type { Circumstances, Rest } from './title-rest.ts'
import type { TitleToken } from './title-tokens.ts'

/** What one title may have and the other not, before the rest of both is looked at. */
interface Idle {
  signal: number
  isMeant(token: TitleToken, circumstances: Circumstances): boolean
  /** Not where both have a number or a platform: it tells `F1 2019` from `F1 2020`, `Mario Kart DS` from `Mario Kart Wii`. */
  isToldByBoth?: true
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
    isMeant: ({ year }, { years }) => year !== undefined && years?.has(year) === true,
    isToldByBoth: true,
  },
  { signal: TITLE_SIGNALS.platform, isMeant: ({ is }) => is === 'platform', isToldByBoth: true },
  {
    signal: TITLE_SIGNALS.numberOne,
    isMeant: ({ is, text, part, isCount }) => is === 'number' && text === '1' && part === 0 && !isCount,
    isToldByBoth: true,
  },
  {
    signal: TITLE_SIGNALS.brand,
    isMeant: ({ isBrand, isFirst, text }, { makers }) => isBrand || (isFirst && makers?.().has(text) === true),
  },
]

/** Of a word that is no more nothing needs to be asked. */
const mayBeIdle = ({ is, isAside, isBrand, isFirst }: TitleToken) => is !== 'word' || isAside || isBrand || isFirst

/** Takes from both what is idle, and tells what that costs. */
export function withoutIdle(
  left: Rest,
  right: Rest,
  circumstances: Circumstances,
): { left: Rest; right: Rest; likeness: number } {
  const sides = { left, right, likeness: 1 }
  if (!left.tokens.some(mayBeIdle) && !right.tokens.some(mayBeIdle)) return sides
  const tellsApart = ({ tokens }: Rest) => tokens.some(({ is }) => is === 'number' || is === 'platform')
  for (const { signal, isMeant, isToldByBoth } of IDLE) {
    const isIdle = (token: TitleToken) => isMeant(token, circumstances)
    if (![...sides.left.tokens, ...sides.right.tokens].some(isIdle)) continue
    if (isToldByBoth && tellsApart(sides.left) && tellsApart(sides.right)) continue
    sides.likeness *= signal
    sides.left = { form: left.form, tokens: sides.left.tokens.filter((token) => !isIdle(token)) }
    sides.right = { form: right.form, tokens: sides.right.tokens.filter((token) => !isIdle(token)) }
  }
  return sides
}
