export interface TextPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Longer texts, and texts that differ in spaces alone, are shown as a whole, because the table grows with both lengths. */
const CELLS_MAX = 2_000_000

/** Splits a text into words, each with the space behind it, so that changed neighbours are one phrase. */
const toWords = (text: string) => text.match(/\s*\S+\s*/g) ?? []

const isSame = (one: string | undefined, other: string | undefined) => one?.trim() === other?.trim()

function measureRests(before: readonly string[], after: readonly string[]): (row: number, column: number) => number {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = isSame(before[row], after[column])
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  return at
}

/** Moves the white space at the end of a changed phrase to the unchanged text after it. */
function trimPhrases(parts: readonly TextPart[]): TextPart[] {
  let space = ''
  return parts.map(({ kind, text }) => {
    const shown = kind === 'same' ? space + text : text.trimEnd()
    space = kind === 'same' ? '' : text.slice(shown.length)
    return { kind, text: shown }
  })
}

export function findTextDifference(before: string, after: string): TextPart[] {
  const [old, next] = [toWords(before), toWords(after)]
  const isSpaceOnly = before !== after && old.length === next.length && old.every((word, at) => isSame(word, next[at]))
  if (isSpaceOnly || old.length * next.length > CELLS_MAX) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  }
  const parts: TextPart[] = []
  const add = (kind: TextPart['kind'], text = '') => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }

  const rest = measureRests(old, next)
  let [row, column] = [0, 0]
  while (row < old.length || column < next.length) {
    if (row < old.length && column < next.length && isSame(old[row], next[column])) {
      add('same', column + 1 < next.length ? next[column] : old[row])
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
  return trimPhrases(parts)
}
