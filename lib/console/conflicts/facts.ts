import type { ConflictCandidate, ConflictEntry, ConflictSubject } from '../../contract/conflicts.ts'
import { formatCount, toDay } from '../format.ts'

export interface Facts {
  title: string
  otherNames: readonly string[]
  /** yyyy, yyyy-mm or yyyy-mm-dd. */
  released: string | null
  companies: readonly string[]
  platforms: readonly string[]
  type: string | null
  playTime: string | null
  text: string | null
  cover: string | null
}

export type PlatformName = (id: string) => string

function toLength(minutes: number): string {
  const hours = Math.round(minutes / 6) / 10
  return hours < 1 ? `${minutes} min` : `${hours} h`
}

export const fromSubject = (subject: ConflictSubject, toName: PlatformName): Facts => ({
  title: subject.name,
  otherNames: [subject.originalName, ...subject.alternativeNames].filter((name) => name !== subject.name),
  released: subject.released,
  companies: subject.developers,
  platforms: subject.platformIds.map(toName),
  type: null,
  playTime: subject.lengthMinutes ? toLength(subject.lengthMinutes) : null,
  text: subject.description,
  cover: subject.cover,
})

export const fromCandidate = ({ name, game }: ConflictCandidate, toName: PlatformName): Facts => ({
  title: name,
  otherNames: game?.alternativeNames ?? [],
  released: game?.firstRelease == null ? null : toDay(game.firstRelease),
  companies: [...new Set(game?.companies.map((company) => company.name) ?? [])],
  platforms: game?.platformIds.map(toName) ?? [],
  type: game?.type ?? null,
  playTime: null,
  text: game?.summary ?? null,
  cover: game?.cover ?? null,
})

export const fromEntry = ({ name, releaseYear, platforms, cover, details }: ConflictEntry): Facts => ({
  title: name,
  otherNames: [],
  released: releaseYear === null ? null : String(releaseYear),
  companies: [],
  platforms,
  type: null,
  playTime: details.join(', ') || null,
  text: null,
  cover,
})

/** The result of comparing a value with that of the entry; `unknown` where one of them is missing. */
export interface Comparison {
  verdict: 'same' | 'near' | 'differs' | 'unknown'
  words: string
  /** True for a value of a list that the entry has as well. */
  isShared?(value: string): boolean
}

const UNKNOWN: Comparison = { verdict: 'unknown', words: '' }
const SAME: Comparison = { verdict: 'same', words: 'same' }

const fold = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** `PC (Microsoft Windows)` is `PC` elsewhere. */
const foldPlatform = (name: string) => fold(name.replace(/\s*\(.*\)$/, ''))

const DIFFERS: Comparison = { verdict: 'differs', words: 'differs' }
const near = (words: string): Comparison => ({ verdict: 'near', words })

function compareTitles(subject: Facts, option: Facts): Comparison {
  const [ours, theirs] = [fold(subject.title), fold(option.title)]
  if (subject.title === option.title) return SAME
  if (ours === theirs) return near('written differently')
  if (option.otherNames.some((name) => fold(name) === ours)) return near('the entry’s title is another name of it')
  if (subject.otherNames.some((name) => fold(name) === theirs)) return near('another name of the entry')
  return DIFFERS
}

function compareDates(subject: string | null, option: string | null): Comparison {
  if (subject === null || option === null) return UNKNOWN
  if (subject === option) return SAME
  if (subject.startsWith(option) || option.startsWith(subject)) return { ...SAME, words: 'the same, less exact' }
  const years = Math.abs(Number(option.slice(0, 4)) - Number(subject.slice(0, 4)))
  const order = option > subject ? 'later' : 'earlier'
  if (years === 0) return near(`same year, ${order}`)
  return { verdict: years > 1 ? 'differs' : 'near', words: `${formatCount(years, 'year')} ${order}` }
}

function compareLists(subject: readonly string[], option: readonly string[], toKey = fold): Comparison {
  if (subject.length === 0 || option.length === 0) return UNKNOWN
  const subjectKeys = new Set(subject.map(toKey))
  const isShared = (value: string) => subjectKeys.has(toKey(value))
  const common = option.filter(isShared).length
  if (common === 0) return { ...DIFFERS, words: 'none in common', isShared }
  if (common === subjectKeys.size && common === option.length) return SAME
  return { ...near(`${common} in common`), isShared }
}

export type ComparedRow = 'title' | 'otherNames' | 'released' | 'companies' | 'platforms' | 'text'

export function compareFacts(subject: Facts, option: Facts): Readonly<Record<ComparedRow, Comparison>> {
  return {
    title: compareTitles(subject, option),
    otherNames: compareLists(subject.otherNames, option.otherNames),
    released: compareDates(subject.released, option.released),
    companies: compareLists(subject.companies, option.companies),
    platforms: compareLists(subject.platforms, option.platforms, foldPlatform),
    text: subject.text !== null && subject.text === option.text ? SAME : UNKNOWN,
  }
}
