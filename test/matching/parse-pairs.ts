/** A game as a source, a user or the catalogue describes it; unknown facts are absent. */
export interface LabelledEntry {
  name: string
  alternativeNames?: readonly string[]
  /** yyyy, yyyy-mm or yyyy-mm-dd. */
  released?: string
  companies?: readonly string[]
  /** Short names, such as `win` or `ps2`. */
  platforms?: readonly string[]
  type?: string
  genres?: readonly string[]
  summary?: string
}

export interface LabelledPair {
  /** `kind/name`. */
  id: string
  /** The entry that is checked. */
  a: LabelledEntry
  /** The game that is in the catalogue. */
  b: LabelledEntry
  isSame: boolean
}

const HEAD = /^([=!]) ([a-z0-9-]+): (.+)$/
const DATE = /^\d{4}(-\d{2}){0,2}$/

const parseList = (text: string) => text.split('; ')

function parseFact(fact: string): Partial<LabelledEntry> {
  if (DATE.test(fact)) return { released: fact }
  const [word, value] = [fact.slice(0, fact.indexOf(' ')), fact.slice(fact.indexOf(' ') + 1)]
  switch (word) {
    case 'aka':
      return { alternativeNames: parseList(value) }
    case 'by':
      return { companies: parseList(value) }
    case 'on':
      return { platforms: value.split(' ') }
    case 'is':
      return { type: value }
    case 'genre':
      return { genres: parseList(value) }
    case 'about':
      return { summary: value }
    default:
      throw new Error(`Not a fact of an entry: ${fact}`)
  }
}

function parseEntry(line: string): LabelledEntry {
  const [name = '', ...facts] = line.trim().split(' | ')
  return Object.assign({ name }, ...facts.map(parseFact))
}

/**
 * Reads pairs of two lines: `= id: entry` (the same game) or `! id: entry` (another game), then the stored entry, indented.
 * An entry is its name and, divided by ` | `, its facts: a date, `aka`, `by`, `on`, `is`, `genre`, `about`.
 */
export function parsePairs(text: string, kind: string): LabelledPair[] {
  const lines = text.trimEnd().split('\n')
  return lines.flatMap((line, index) => {
    if (index % 2 === 1) return []
    const [, label, id, a] = HEAD.exec(line) ?? []
    const b = lines[index + 1]
    if (!a || !b?.startsWith('  ')) throw new Error(`${kind}, line ${index + 1}: not a pair`)
    return { id: `${kind}/${id}`, a: parseEntry(a), b: parseEntry(b), isSame: label === '=' }
  })
}
