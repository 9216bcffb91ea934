import { fold, PLAIN } from '../../names/normalise-name.ts'
import { canonicalSpelling, classify, numberWord, romanNumber, type WordClass } from './title-words.ts'
import { isTypeWord } from './type-words.ts'

export interface TitleToken {
  /** A number as digits, a year as its last two. */
  text: string
  kind: WordClass
  /** The part of the title. `:`, ` - `, `~` and brackets divide parts. */
  part: number
  /** The number that the word may be: `X` is ten in Final Fantasy X, and not in Mega Man X. */
  value: string | undefined
  /** The first letters of the words that are written as one: `lbp` of LittleBigPlanet. */
  initials: string | undefined
  year: number | undefined
  isFirst: boolean
  /** True after a word like `Episode`. */
  isCount: boolean
  /** True in brackets: the title in another script, a platform, a region. */
  isAside: boolean
  /** True for a word of a maker's name before the title: `Sid Meier's`. */
  isBrand: boolean
}

const MAX_TOKENS = 32
const DIVIDERS = /\s*[:：|;]\s*|\s+[-–—―~]+\s*|[-–—―~]+\s+|\s*[～〜「」『』【】]\s*/u
const ASIDE = /\s*[([（【]([^)\]）】]*)[)\]）】]/gu
const BRAND = /^\s*(?:[\p{L}.]+\s+){0,2}[\p{L}.]+['’`´](?:s\s+|\s+)(?=\S)/u

/** Latin letters and figures that are written right beside another script are words of their own. */
const SCRIPTS = /[\p{sc=Latin}\p{sc=Inherited}\p{N}\p{P}\p{S}]+|[^\p{sc=Latin}\p{sc=Inherited}\p{N}\p{P}\p{S}]+/gu
/** `S.T.A.L.K.E.R.`, `F.3.A.R.` are one word each. */
const DOTTED = /(?<!\p{L})\p{L}\.(?:[\p{L}\d]\.)*\p{L}\.\p{L}?(?!\p{L})/gu
/** `C&C`, `D&D`. */
const AMPERSAND = /(?<!\p{L})(\p{L})&(\p{L})(?!\p{L})/gu
/** `LittleBigPlanet`. */
const COMPOUND = /\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+/gu
/** `Sim City 3k`. */
const THOUSANDS = /(?<=^\d)k$/
/** The plus of `N++` and `N+`, and not one between two titles. */
const PLUS = /(?<=[\p{L}\p{N}+])\+/gu
/** Signs that are no words of a title: `1080°`. */
const SYMBOLS = /\p{So}/gu
const GLUED_ROMAN = /(\p{Ll})(?=[IVX]+(?![\p{L}\p{N}]))/gu
const GLUED_NUMBER = /^([a-z]+)(\d+)$/
/** The range of years. Titles often have only their last two figures. */
const [FIRST_YEAR, LAST_YEAR] = [1980, 2039]

const findCompounds = (text: string) =>
  new Map(Array.from(text.matchAll(COMPOUND), ([word]) => [fold(word), fold(word.replace(/\P{Lu}/gu, ''))]))

interface Reading {
  text: string
  isNumber?: true
  value?: string
  year?: number
}

function readNumber(word: string): Reading {
  const number = Number(word)
  const isYear = word.length === 4 && number >= FIRST_YEAR && number <= LAST_YEAR
  if (isYear) return { text: word.slice(2), isNumber: true, year: number }
  return { text: word.length === 2 ? word : String(number), isNumber: true }
}

type WordPosition = Record<'isFirst' | 'isLast' | 'isCount', boolean>

function readWord(word: string, { isFirst, isLast, isCount }: WordPosition): Reading {
  // `2`, `3k`, `2023`.
  const digits = word.replace(THOUSANDS, '000')
  if (/^\d+$/.test(digits)) return readNumber(digits)
  // `VII`. `I, Robot` begins with a word, and a letter counts at the end of a part alone; `X` is never sure.
  const roman = isFirst ? null : romanNumber(word)
  const isSure = word.length > 1 ? word !== 'xx' : word !== 'x' && (isLast || isCount)
  if (roman !== null) return isSure ? { text: String(roman), isNumber: true } : { text: word, value: String(roman) }
  const spelled = numberWord(word)
  if (spelled === null) return { text: word }
  // `Chapter One`.
  if (isCount) return { text: String(spelled), isNumber: true }
  // `It Takes Two`. `One` counts at the end alone.
  return spelled > 1 || (isLast && !isFirst) ? { text: word, value: String(spelled) } : { text: word }
}

/** Puts a space wherever a word ends. */
function spaced(part: string): string {
  const text = part
    .replace(DOTTED, (letters) => letters.replaceAll('.', ''))
    .replace(AMPERSAND, '$1$2')
    .replace(PLUS, ' plus ')
    .replace(GLUED_ROMAN, '$1 ')
  if (PLAIN.test(text)) return text
  return (text.replaceAll('×', 'x').replace(SYMBOLS, ' ').match(SCRIPTS) ?? []).join(' ')
}

function splitPart(part: string): string[] {
  const folded = fold(spaced(part))
  if (folded === '') return []
  return folded.split(' ').flatMap((word) => {
    const glued = GLUED_NUMBER.exec(word)
    return glued === null ? canonicalSpelling(word) : [canonicalSpelling(glued[1] ?? ''), glued[2] ?? '']
  })
}

/** True for a word of an edition. A number in it is none of the game. */
const isEdition = (kind: WordClass) => kind === 'neutral' || kind === 'reissue' || kind === 'namedEdition'

const splitParts = (text: string) =>
  text
    .split(DIVIDERS)
    .map(splitPart)
    .filter((words) => words.length > 0)

/** Splits a title into parts, those outside of brackets first, and counts the words of a maker's name at the beginning. */
function splitTitle(text: string) {
  const mains = splitParts(text.replace(ASIDE, ' '))
  const parts = [...mains, ...[...text.matchAll(ASIDE)].flatMap(([, aside = '']) => splitParts(aside))]
  const brand = fold(BRAND.exec(text)?.[0] ?? '')
  const brandWords = brand === '' ? 0 : brand.split(' ').length
  const isBrandAlone = brandWords >= (parts[0]?.length ?? 0)
  return { parts, mainParts: mains.length, brandWords: isBrandAlone ? 0 : brandWords }
}

/** Splits a title into tokens, and counts its parts. */
export function tokenizeTitle(text: string): { tokens: TitleToken[]; parts: number } {
  const { parts, mainParts, brandWords } = splitTitle(text)
  const compounds = findCompounds(text)
  const tokens = parts.flatMap((words, part) => {
    const isTypeAlone = words.length === 1 && mainParts > 1 && isTypeWord(words[0] ?? '')
    const kinds = classify(words, part === 0 && !isTypeAlone)
    return words.map((word, at): TitleToken => {
      const kind = kinds[at] ?? 'word'
      const isFirst = part === 0 && at === 0
      const isCount = kinds[at - 1] === 'instalment'
      const position = { isFirst, isLast: at === words.length - 1, isCount }
      const { text, isNumber, value, year } = kind === 'platform' ? { text: word } : readWord(word, position)
      return {
        text,
        kind: isNumber && !isEdition(kind) ? 'number' : kind,
        part,
        value,
        initials: compounds.get(word),
        year,
        isFirst,
        isCount,
        isAside: part >= mainParts && part > 0,
        isBrand: part === 0 && at < brandWords,
      }
    })
  })
  return { tokens: tokens.slice(0, MAX_TOKENS), parts: parts.length }
}
