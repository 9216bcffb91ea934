import { fold } from '../../names/normalise-name.ts'
import { TYPE_SIGNALS } from '../weights.ts'

const TYPE_GROUPS = new Map(
  Object.entries({
    'main game': 'game',
    'standalone expansion': 'standalone',
    'expanded game': 'expanded',
    port: 'port',
    fork: 'fork',
    remaster: 'remaster',
    remake: 'remake',
    bundle: 'bundle',
    dlc: 'addon',
    expansion: 'addon',
    'pack addon': 'addon',
    update: 'addon',
    season: 'addon',
    episode: 'episode',
    mod: 'mod',
    'fan disc': 'fan disc',
  } as const),
)
export type TypeGroup = NonNullable<ReturnType<typeof TYPE_GROUPS.get>>

/** Pairs of types that sources confuse. */
const KINDRED = [
  'addon episode',
  'addon standalone',
  'addon fan disc',
  'expanded port',
  'expanded remaster',
  'port remaster',
]
const APART = ['game standalone', 'game expanded', 'game episode', 'game fork', 'remake remaster', 'addon bundle']

export const findTypeGroup = (type: unknown) => (typeof type === 'string' ? TYPE_GROUPS.get(fold(type)) : undefined)

/** Compares the kinds of two types; null when either type is unknown. */
export function compareTypes(a: TypeGroup | undefined, b: TypeGroup | undefined): number | null {
  if (a === undefined || b === undefined) return null
  if (a === b) return TYPE_SIGNALS.same
  const areIn = (pairs: readonly string[]) => pairs.includes(`${a} ${b}`) || pairs.includes(`${b} ${a}`)
  if (areIn(KINDRED)) return TYPE_SIGNALS.kindred
  return areIn(APART) ? TYPE_SIGNALS.apart : TYPE_SIGNALS.other
}

const ADDITIONS = new Set<TypeGroup | undefined>(['addon', 'episode', 'mod', 'fan disc', 'standalone', 'expanded'])

/** True when exactly one of the two types is an addition to another game. */
export const isAdditionToOther = (a: TypeGroup | undefined, b: TypeGroup | undefined) =>
  ADDITIONS.has(a) !== ADDITIONS.has(b)

const MAIN_TYPE = 'game'

/** True when one side is no main game and the type of the other is unknown. */
export const isSpecialTypeAlone = (a: TypeGroup | undefined, b: TypeGroup | undefined) =>
  (a === undefined) !== (b === undefined) && (a ?? b) !== MAIN_TYPE
