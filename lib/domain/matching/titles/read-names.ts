import { stringsIn } from '../../names/normalise-name.ts'

const MAX_NAMES = 21
/** Separates two titles in one name. `Fate/stay night` is one title. */
const BETWEEN_TITLES = /\s+\/\s+|\s*／\s*/
const OTHER_SCRIPT = /(?!\p{sc=Latin})\p{L}/u

export interface Name {
  text: string
  /** The other title of a name with two titles in one script. It may be the name of another game. */
  twin?: string | undefined
}

function splitName(text: string): Name[] {
  const titles = text.split(BETWEEN_TITLES).filter((title) => title.trim() !== '')
  if (titles.length !== 2) return []
  const areInOneScript = new Set(titles.map((title) => OTHER_SCRIPT.test(title))).size === 1
  return titles.map((text, at) => ({ text, twin: areInOneScript ? titles[1 - at] : undefined }))
}

/** Lists the names of an entry, the main one first. A name of two titles is followed by both of them. */
export function readNames(name: unknown, alternatives: unknown): Name[] {
  const texts = [...stringsIn([name]), ...stringsIn(alternatives, MAX_NAMES)]
  return texts.flatMap((text) => [{ text }, ...splitName(text)]).slice(0, MAX_NAMES)
}
