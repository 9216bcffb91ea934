import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { normalise, stringsIn } from '../../names/normalise-name.ts'
import { COMPANY_SIGNALS } from '../weights.ts'

const LEAST_BEGINNING = 4
/** First words that unrelated companies share. */
const COMMON_BEGINNINGS = new Set('big black blue red green new old team digital dark super art soft tokyo'.split(' '))
const ABBREVIATION = /^[A-Z]{2,5}$/
const LATIN = /\p{sc=Latin}/u
const LETTER = /\p{L}/u
const areForeign = (companies: readonly Company[]) =>
  companies.every(({ name }) => LETTER.test(name) && !LATIN.test(name))
const FORMS = new Set(
  `inc ltd llc co corp corporation company gmbh ab sa srl kk limited incorporated the entertainment games game
  interactive studio studios software`.split(/\s+/),
)

const MAX_COMPANIES = 16
const MAX_LETTERS = 120

export interface Company {
  name: string
  whole: string
  joined: string
  /** Without common words such as `games` and `ltd`. */
  words: readonly string[]
  initials: string
}

function readCompany(written: string): Company {
  const name = written.slice(0, MAX_LETTERS)
  const all = normalise(name).split(' ')
  const distinctive = all.filter((word) => !FORMS.has(word))
  const words = distinctive.length > 0 ? distinctive : all
  return { name, whole: all.join(''), joined: words.join(''), words, initials: all.map(([letter]) => letter).join('') }
}

const isWithin = (a: Company, b: Company) =>
  a.words.every((word) => b.words.includes(word)) ||
  (a.joined.length >= LEAST_BEGINNING && b.joined.startsWith(a.joined)) ||
  (a.joined.length > 1 && a.joined === b.initials)

/** True when one name may abbreviate the other: `KCET` belongs to Konami. */
const mayBeShort = (a: Company, b: Company) => ABBREVIATION.test(a.name) && b.initials.startsWith(a.joined[0] ?? '-')

function compareCompany(a: Company, b: Company): number {
  if (a.joined === b.joined || a.whole === b.whole) return COMPANY_SIGNALS.same
  if (isWithin(a, b) || isWithin(b, a)) return COMPANY_SIGNALS.kindred
  const [first = ''] = a.words
  if (first.length > 1 && first === b.words[0] && !COMMON_BEGINNINGS.has(first)) return COMPANY_SIGNALS.sameHouse
  return mayBeShort(a, b) || mayBeShort(b, a) ? COMPANY_SIGNALS.abbreviated : COMPANY_SIGNALS.other
}

export const readCompanies = (names: unknown): Company[] => stringsIn(names, MAX_COMPANIES).map(readCompany)

export const companyWords = (companies: readonly Company[]) => new Set(companies.flatMap(({ words }) => words))

/** Lists the companies of a game that have a name. Another program may have stored others. */
const namedCompanies = (companies: GameDocument['companies']) =>
  Array.isArray(companies)
    ? companies.slice(0, MAX_COMPANIES).filter((company) => typeof company?.name === 'string')
    : []

export const readGameCompanies = (companies: GameDocument['companies']): Company[] =>
  namedCompanies(companies).map(({ name }) => readCompany(name))

/** Compares the makers; null when either side names none. */
export function compareCompanies(ofSubject: readonly Company[], companies: GameDocument['companies']): number | null {
  const ofGame = readGameCompanies(companies)
  if (ofSubject.length === 0 || ofGame.length === 0) return null
  const best = Math.max(...ofSubject.flatMap((left) => ofGame.map((right) => compareCompany(left, right))))
  if (best > COMPANY_SIGNALS.other) return best
  // Names in two scripts cannot be compared.
  if (areForeign(ofSubject) !== areForeign(ofGame)) return null
  const named = namedCompanies(companies)
  const isPublishedAlone = !named.some(({ developer }) => developer) && named.some(({ publisher }) => publisher)
  return isPublishedAlone ? COMPANY_SIGNALS.otherRole : COMPANY_SIGNALS.other
}
