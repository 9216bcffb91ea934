import { type ChangeObject, diffWords } from 'diff'

/** Texts that differ in more words are shown as a whole, because the search takes the square of their number. */
const EDITS_MAX = 500

/** Splits two texts into what they share and what was `removed` and `added`, as a whole where spaces alone differ. */
export function findTextDifference(
  before: string,
  after: string,
): Pick<ChangeObject<string>, 'value' | 'added' | 'removed'>[] {
  const parts = diffWords(before, after, { maxEditLength: EDITS_MAX })
  const isShown = before === after || parts?.some(({ added, removed }) => added || removed)
  if (parts && isShown) return parts
  return [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
}
