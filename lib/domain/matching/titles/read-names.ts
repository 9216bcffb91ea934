import { stringsIn } from '../../names/normalise-name.ts'

const MAX_NAMES = 21
/** Separates two titles in one name. `Fate/stay night` is one title. */
const BETWEEN_TITLES = /\s+\/\s+|\s*／\s*/
const OTHER_SCRIPT = /(?!\p{sc=Latin})\p{L}/u

export interface Name {
  text: string
  /** The second title of the name, in the same script: of the same game, or of another one. */
  twin?: string | undefined
}

function splitName(text: string): Name[] {
  const titles = text.split(BETWEEN_TITLES).filter((title) => title.trim() !== '')
  if (titles.length !== 2) return []
  const areInOneScript = new Set(titles.map((title) => OTHER_SCRIPT.test(title))).size === 1
  return titles.map((text, at) => ({ text, twin: areInOneScript ? titles[1 - at] : undefined }))
}

/** Reads the names of an entry, the main one first. Both titles follow a name of two titles. */
export function readNames(name: unknown, alternatives: unknown): Name[] {
  const others = stringsIn(Array.isArray(alternatives) ? alternatives.slice(0, MAX_NAMES) : alternatives)
  const texts = [...stringsIn([name]), ...others]
  return texts.flatMap((text) => [{ text }, ...splitName(text)]).slice(0, MAX_NAMES)
}
