import type { TypeGroup } from '../facts/compare-types.ts'
import { type WordClass, wordsIn } from './title-words.ts'

interface Word {
  text: string
  kind: WordClass
}

const LATER_VERSION = wordsIn('remaster remastered remasters hd redux reloaded')

/** The words that say a type in a title, those of a phrase like `season pass` one by one. */
const WORDS_BY_TYPE: Partial<Record<TypeGroup, ReadonlySet<string>>> = {
  remake: wordsIn('remake'),
  remaster: LATER_VERSION,
  expanded: LATER_VERSION,
  port: LATER_VERSION,
  bundle: wordsIn('collection trilogy duology quadrilogy anthology compilation bundle pack'),
  addon: wordsIn('dlc addon add on update season pass expansion pack'),
  standalone: wordsIn('standalone expansion'),
  mod: wordsIn('mod'),
  'fan disc': wordsIn('fan disc'),
}

/** True when a word of a title says a type: `Remake`, `Definitive Edition`. */
export function namesType({ kind, text }: Word, type: TypeGroup | undefined): boolean {
  const words = type && WORDS_BY_TYPE[type]
  if (words === undefined) return false
  if (kind === 'reissue') return words === LATER_VERSION
  return kind === 'content' ? type === 'addon' : kind === 'derivative' && words.has(text)
}

/** Reads the type of one side. An unknown type is the other side's type when the title names it. */
export const readType = (
  type: TypeGroup | undefined,
  other: TypeGroup | undefined,
  { tokens }: { tokens: readonly Word[] },
) => type ?? (tokens.some((token) => namesType(token, other)) ? other : undefined)

/** True when a title may begin with a word that says a type: `Expansion - Hearts of Iron IV: Waking the Tiger`. */
export const isTypeWord = (word: string) => Object.values(WORDS_BY_TYPE).some((words) => words.has(word))
