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
const BRACKET = /[([（【]/
const ASIDE = /\s*[([（【]([^)\]）】]*)[)\]）】]/gu
const APOSTROPHE = /['’`´]/
const BRAND = /^\s*(?:[\p{L}.]+\s+){0,2}[\p{L}.]+['’`´](?:s\s+|\s+)(?=\S)/u

/** Latin letters and figures that are written right beside another script are words of their own. */
const SCRIPTS = /[\p{sc=Latin}\p{sc=Inherited}\p{N}\p{P}\p{S}]+|[^\p{sc=Latin}\p{sc=Inherited}\p{N}\p{P}\p{S}]+/gu
/** `S.T.A.L.K.E.R.`, `F.3.A.R.` are one word each. */
const DOTTED = /(?<!\p{L})\p{L}\.(?:[\p{L}\d]\.)*\p{L}\.\p{L}?(?!\p{L})/gu
/** `C&C`, `D&D`. */
const AMPERSAND = /(?<!\p{L})(\p{L})&(\p{L})(?!\p{L})/gu
/** `LittleBigPlanet`. */
const COMPOUND = /\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+/gu
const HAS_COMPOUND = /\p{Ll}\p{Lu}/u
/** `Sim City 3k`. */
const THOUSANDS = /^(\d)k$/
/** In `N++` and `N+`, and not between two titles. */
const PLUS = /(?<=[\p{L}\p{N}+])\+/gu
/** Signs that are no words of a title: `1080°`. */
const SYMBOLS = /\p{So}/gu
const GLUED_ROMAN = /(\p{Ll})(?=[IVX]+(?![\p{L}\p{N}]))/gu
const GLUED_NUMBER = /^([a-z]+)(\d+)$/
/** The range of years. Titles often have only their last two figures. */
const [FIRST_YEAR, LAST_YEAR] = [1980, 2039]

const toDigits = (word: string) => (/^\d+$/.test(word) ? word : THOUSANDS.test(word) ? word.replace('k', '000') : null)

function findCompounds(text: string): Map<string, string> {
  if (!HAS_COMPOUND.test(text)) return new Map()
  return new Map(Array.from(text.matchAll(COMPOUND), ([word]) => [fold(word), fold(word.replace(/\P{Lu}/gu, ''))]))
}

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

/** `I`, `V` and `X` are letters as well: they count when they end a part, may count within, and `X` is never sure. */
function readRoman(word: string, value: number, { isLast, isCount }: WordPosition): Reading {
  const isSure = word.length > 1 ? word !== 'xx' : word !== 'x' && (isLast || isCount)
  return isSure ? { text: String(value), isNumber: true } : { text: word, value: String(value) }
}

const asWord = (word: string): Reading => ({ text: word })

type Reader = (word: string, position: WordPosition) => Reading | null

/** The ways to read a word as a number; the first that applies counts. */
const READERS: readonly Reader[] = [
  // `2`, `3k`, `2023`.
  (word) => {
    const written = toDigits(word)
    return written === null ? null : readNumber(written)
  },
  // `VII`, and `I, Robot` begins with a word.
  (word, position) => {
    const roman = position.isFirst ? null : romanNumber(word)
    return roman === null ? null : readRoman(word, roman, position)
  },
  // `Chapter One`.
  (word, { isCount }) => {
    const spelled = isCount ? numberWord(word) : null
    return spelled === null ? null : { text: String(spelled), isNumber: true }
  },
  // `It Takes Two`, and `One` counts at the end alone.
  (word, { isFirst, isLast }) => {
    const spelled = numberWord(word)
    return spelled !== null && (spelled > 1 || (isLast && !isFirst)) ? { text: word, value: String(spelled) } : null
  },
]

function readWord(word: string, position: WordPosition): Reading {
  for (const read of READERS) {
    const reading = read(word, position)
    if (reading !== null) return reading
  }
  return asWord(word)
}

const withoutDots = (letters: string) => letters.replaceAll('.', '')

/** Rewrites words without a space between them, by a sign that most titles lack. */
const SIGNS: readonly (readonly [sign: string, rewrite: (text: string) => string])[] = [
  // `S.T.A.L.K.E.R.`
  ['.', (text) => text.replace(DOTTED, withoutDots)],
  // `C&C`
  ['&', (text) => text.replace(AMPERSAND, '$1$2')],
  // `N++`
  ['+', (text) => text.replace(PLUS, ' plus ')],
  // `FinalFantasyVII`
  ['', (text) => text.replace(GLUED_ROMAN, '$1 ')],
]

/** Puts a space wherever a word ends. */
function spaced(part: string): string {
  const text = SIGNS.reduce((before, [sign, rewrite]) => (before.includes(sign) ? rewrite(before) : before), part)
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

/** True for an edition, whose numbers mean nothing. */
const isEdition = (kind: WordClass) => kind === 'neutral' || kind === 'reissue' || kind === 'namedEdition'

interface SplitTitle {
  parts: readonly (readonly string[])[]
  /** The number of parts outside of brackets, which come first. */
  mainParts: number
  /** The number of words of the first part that name a maker. */
  brandWords: number
}

const splitParts = (text: string) =>
  text
    .split(DIVIDERS)
    .map(splitPart)
    .filter((words) => words.length > 0)

function splitTitle(text: string): SplitTitle {
  const hasAside = BRACKET.test(text)
  const mains = splitParts(hasAside ? text.replace(ASIDE, ' ') : text)
  const asides = hasAside ? [...text.matchAll(ASIDE)].flatMap(([, aside = '']) => splitParts(aside)) : []
  const brand = APOSTROPHE.test(text) ? fold(BRAND.exec(text)?.[0] ?? '') : ''
  const brandWords = brand === '' ? 0 : brand.split(' ').length
  const isBrandAlone = brandWords >= ([...mains, ...asides][0]?.length ?? 0)
  return { parts: [...mains, ...asides], mainParts: mains.length, brandWords: isBrandAlone ? 0 : brandWords }
}

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
      const { text, isNumber, value, year } = kind === 'platform' ? asWord(word) : readWord(word, position)
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
