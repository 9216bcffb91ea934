import type { TypeGroup } from '../facts/compare-types.ts'
import type { WordClass } from './title-words.ts'

interface Word {
  text: string
  kind: WordClass
}

const LATER_VERSIONS: readonly TypeGroup[] = ['remaster', 'expanded', 'port']
const COLLECTIONS: readonly TypeGroup[] = ['bundle']
const ADD_ONS: readonly TypeGroup[] = ['addon']

/** Maps the words for a type to the types that they may mean. */
const TYPES_BY_WORD = new Map<string, readonly TypeGroup[]>(
  Object.entries({
    remake: ['remake'],
    remaster: LATER_VERSIONS,
    remastered: LATER_VERSIONS,
    remasters: LATER_VERSIONS,
    hd: LATER_VERSIONS,
    redux: LATER_VERSIONS,
    reloaded: LATER_VERSIONS,
    collection: COLLECTIONS,
    trilogy: COLLECTIONS,
    duology: COLLECTIONS,
    quadrilogy: COLLECTIONS,
    anthology: COLLECTIONS,
    compilation: COLLECTIONS,
    bundle: COLLECTIONS,
    pack: ['addon', 'bundle'],
    dlc: ADD_ONS,
    addon: ADD_ONS,
    update: ADD_ONS,
    // Season pass, add-on: the words of a phrase.
    season: ADD_ONS,
    pass: ADD_ONS,
    add: ADD_ONS,
    on: ADD_ONS,
    expansion: ['addon', 'standalone'],
    standalone: ['standalone'],
    mod: ['mod'],
    fan: ['fan disc'],
    disc: ['fan disc'],
  } satisfies Record<string, readonly TypeGroup[]>),
)

/** True when a word of a title says a type: `Remake`, `Definitive Edition`. */
export function namesType({ kind, text }: Word, type: TypeGroup | undefined): boolean {
  if (type === undefined) return false
  if (kind === 'reissue') return LATER_VERSIONS.includes(type)
  if (kind === 'content') return ADD_ONS.includes(type)
  return kind === 'derivative' && TYPES_BY_WORD.get(text)?.includes(type) === true
}

/** Reads the type of one side. An unknown type is the other side's type when the title names it. */
export const readType = (
  type: TypeGroup | undefined,
  other: TypeGroup | undefined,
  { tokens }: { tokens: readonly Word[] },
) => type ?? (tokens.some((token) => namesType(token, other)) ? other : undefined)

/** True when a title may begin with a word that says a type: `Expansion - Hearts of Iron IV: Waking the Tiger`. */
export const isTypeWord = (word: string) => TYPES_BY_WORD.has(word)
