export interface TextPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Longer texts are shown as a whole: the table of the comparison grows with both. */
const CELLS_MAX = 2_000_000

const toWords = (text: string) => text.match(/\s+|[^\s]+/g) ?? []

/** How long the common subsequence of each two rests is, row by row. */
function measureRests(before: readonly string[], after: readonly string[]): (row: number, column: number) => number {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  return at
}

/** Joins changes with nothing but spaces between them, so that a phrase is replaced as a whole. */
function joinPhrases(parts: readonly TextPart[]): TextPart[] {
  const joined: TextPart[] = []
  const phrase = { removed: '', added: '' }
  const flush = () => {
    for (const kind of ['removed', 'added'] as const) {
      const other = phrase[kind === 'removed' ? 'added' : 'removed']
      // The spaces between two words that were added are no removal, and the other way about.
      const isSpaceAlone = phrase[kind].trim() === '' && other !== ''
      if (phrase[kind] !== '' && !isSpaceAlone) joined.push({ kind, text: phrase[kind] })
    }
    phrase.removed = ''
    phrase.added = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    const isBegun = phrase.removed !== '' || phrase.added !== ''
    const isBetween = kind === 'same' && isBegun && text.trim() === '' && index < parts.length - 1
    if (kind === 'removed' || isBetween) phrase.removed += text
    if (kind === 'added' || isBetween) phrase.added += text
    if (kind !== 'same' || isBetween) continue
    flush()
    joined.push({ kind, text })
  }
  flush()
  return joined
}

/** The differences of two texts, phrase by phrase. */
export function findTextDifference(before: string, after: string): TextPart[] {
  const [old, next] = [toWords(before), toWords(after)]
  const parts: TextPart[] = []
  const add = (kind: TextPart['kind'], text: string | undefined) => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text ?? ''
    else parts.push({ kind, text: text ?? '' })
  }
  if (old.length * next.length > CELLS_MAX) {
    add('removed', before)
    add('added', after)
    return parts
  }

  const rest = measureRests(old, next)
  let [row, column] = [0, 0]
  while (row < old.length || column < next.length) {
    if (row < old.length && column < next.length && old[row] === next[column]) {
      add('same', old[row])
      row += 1
      column += 1
    } else if (row < old.length && (column >= next.length || rest(row + 1, column) >= rest(row, column + 1))) {
      add('removed', old[row])
      row += 1
    } else {
      add('added', next[column])
      column += 1
    }
  }
  return joinPhrases(parts)
}
