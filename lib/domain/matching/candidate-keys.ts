import { normalise } from '../names/normalise-name.ts'
import { analyseTitle, isDistinctive, readNames, type TitleForm, toCore } from './titles/title-forms.ts'
import type { TitleToken } from './titles/title-tokens.ts'
import { isStopword, ROMANS } from './titles/title-words.ts'
import { readFigures } from './titles/word-similarity.ts'

/** Keys begin with their kind: `=` a whole title, `-` a part (`Skyrim`), `~` initials (`gta5`), `+` two words side by side. */
const MAX_KEYS = 80
const MAX_PARTS = 4
const MAX_PAIRS = 6
const MAX_INITIALS = 5
const LONGEST_INITIALS = 8
const LONGEST = 48
const SHORTEST_BLURRED = 3

/** Keeps the letters that people rarely get wrong, sorted. Most misspellings and other orders of words give the same text. */
function blur(core: string): string {
  const single = core.replace(/([a-z])\1+/g, '$1')
  const sounds = single.replace(/ph/g, 'f').replace(/[cq]/g, 'k').replace(/z/g, 's')
  const letters = [...sounds.replace(/[aeiouyhw]/g, '')].sort().join('')
  return (letters.length < SHORTEST_BLURRED ? single : letters).slice(0, LONGEST)
}

const KEPT_LETTERS = [...'bdfgjklmnprstvx']
const SHORTEST_NEARED = 4

/** Lists the blurred texts with one letter more or less, for the misspellings that change a blurred text. */
function near(blurred: string): string[] {
  if (blurred.length < SHORTEST_NEARED) return []
  const letters = [...blurred]
  const more = KEPT_LETTERS.map((letter) => [...letters, letter].sort().join(''))
  const less = letters.flatMap((letter, at) => (/\d/.test(letter) ? [] : letters.toSpliced(at, 1).join('')))
  return [...new Set([...more, ...less])]
}

/** Reads a figure as a letter: `Thi4f` as `Thief`. */
function withoutFigures(tokens: readonly TitleToken[]): TitleToken[][] {
  const figured = tokens.find(({ text }) => readFigures(text).length > 0)
  if (figured === undefined) return []
  return readFigures(figured.text).map((text) =>
    tokens.map((token) => (token === figured ? { ...token, text } : token)),
  )
}

const wholeKeys = ({ tokens, core }: TitleForm): string[] => {
  const filterCore = (isKept: (token: TitleToken) => boolean) => toCore(tokens.filter(isKept))
  const cores = [
    core,
    filterCore(({ isBrand }) => !isBrand),
    filterCore(({ kind }) => kind !== 'platform'),
    // `Dead Space Remake` has a key of `Dead Space`.
    filterCore(({ kind }) => kind !== 'derivative' && kind !== 'reissue' && kind !== 'content'),
    ...withoutFigures(tokens).map(toCore),
  ]
  return [...new Set(cores)].filter((text) => text !== '').map((text) => `=${blur(text)}`)
}

/** Lists the tokens of each part, the head first. */
const splitParts = ({ tokens, parts }: TitleForm): TitleToken[][] =>
  Array.from({ length: Math.min(parts, MAX_PARTS) }, (_, part) => tokens.filter((token) => token.part === part))

const laterParts = ({ tokens, parts }: TitleForm): string[] =>
  parts > 2 ? [toCore(tokens.filter(({ part }) => part > 0))] : []

function initials(tokens: readonly TitleToken[]): string[] {
  const firstLetters = (some: readonly TitleToken[]) =>
    some.map(({ text, kind, value }) => (kind === 'number' ? text : (value ?? text[0] ?? ''))).join('')
  const words = tokens.filter(({ kind }) => kind !== 'neutral')
  const distinctive = words.filter(({ text }) => !isStopword(text))
  return [firstLetters(words), firstLetters(distinctive)]
    .filter((letters) => /^[a-z]{2,}/.test(letters))
    .map((letters) => `~${letters}`)
}

function pairs(tokens: readonly TitleToken[]): string[] {
  const distinctive = tokens.filter(isDistinctive)
  const keys = distinctive.slice(1).flatMap(({ text, value }, index) => {
    const before = distinctive[index]
    return before === undefined || before.kind === 'number'
      ? []
      : [`+${blur(before.value ?? before.text)} ${blur(value ?? text)}`]
  })
  return keys.slice(0, MAX_PAIRS)
}

function storedKeys(name: string): string[] {
  const form = analyseTitle(name)
  const parts = form.parts > 1 ? splitParts(form) : []
  const cores = [...parts.map(toCore), ...laterParts(form)].filter((core) => core.length > 2)
  return [
    ...wholeKeys(form),
    ...cores.map((core) => `-${blur(core)}`),
    ...initials(form.tokens),
    ...parts.flatMap(initials),
    ...pairs(form.tokens),
  ]
}

/** Builds the keys of a game, which every write of its names stores. */
export function buildCandidateKeys(name: unknown, alternatives: unknown): string[] {
  const names = readNames(name, alternatives)
  return [...new Set(names.flatMap(({ text }) => storedKeys(text)))].slice(0, MAX_KEYS)
}

/** Reads words as initials of a title, with the number behind or at the end: `gta 5`, `ffvii`. */
function readInitials(tokens: readonly TitleToken[]): string[] {
  return tokens.flatMap(({ text, kind }, at) => {
    if (kind !== 'word' || text.length < 2 || text.length > MAX_INITIALS) return []
    const next = tokens[at + 1]
    const roman = ROMANS.findLast((figures) => text.endsWith(figures) && text.length - figures.length > 1)
    return [
      ...(next?.kind === 'number' ? [`~${text}${next.text}`] : []),
      ...(roman === undefined ? [] : [`~${text.slice(0, -roman.length)}${ROMANS.indexOf(roman) + 1}`]),
      `~${text}`,
    ]
  })
}

export type Probes = ReturnType<typeof buildProbes>

/** Builds the keys by which a title finds games. */
export function buildProbes(form: TitleForm) {
  const [head, ...later] = splitParts(form)
    .map(toCore)
    .filter((core) => core.length > 2)
  const parts = form.parts > 1 ? [...later, ...laterParts(form)] : []
  const wholes = head === undefined ? parts : [...parts, head]
  return {
    /** The title itself, and each of its parts as a whole title. */
    whole: [...wholeKeys(form), ...wholes.map((core) => `=${blur(core)}`)],
    /** The title with one letter more or less. */
    near: near(blur(form.core)).map((letters) => `=${letters}`),
    /** The title as a part of another. */
    parts: [form.core, ...parts].filter((core) => core.length > 2).map((core) => `-${blur(core)}`),
    initials: [...(form.core.length <= LONGEST_INITIALS ? [`~${form.core}`] : []), ...readInitials(form.tokens)],
    pairs: pairs(form.tokens),
    /** Words of names instead of keys, the longest first, because long words are rarer. */
    words: normalise(form.title)
      .split(' ')
      .filter((word) => word.length > 2 && !isStopword(word))
      .sort((a, b) => b.length - a.length),
  }
}
