export interface Selection {
  text: string
  start: number
  end: number
}

const AROUND = { bold: '**', italic: '*', code: '`' }
const BEFORE = { quote: '> ', list: '- ' }
const LINK = /^https?:\/\/\S+$/i

export type Markup = keyof typeof AROUND | keyof typeof BEFORE | 'link'

const isAround = (markup: Markup): markup is keyof typeof AROUND => markup in AROUND
const isBefore = (markup: Markup): markup is keyof typeof BEFORE => markup in BEFORE

/** Puts marks around or before the selection. */
export function addMarkup(markup: Markup, { text, start, end }: Selection): Selection {
  const replace = (from: number, to: number, by: string) => text.slice(0, from) + by + text.slice(to)
  if (isBefore(markup)) {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const marked = text.slice(from, end).replace(/^/gm, BEFORE[markup])
    return { text: replace(from, end, marked), start: start + BEFORE[markup].length, end: from + marked.length }
  }
  // Markdown ignores a mark next to a space.
  const chosen = text.slice(start, end)
  const inside = chosen.trim()
  const from = start + chosen.length - chosen.trimStart().length
  const to = from + inside.length
  if (isAround(markup)) {
    const mark = AROUND[markup]
    const at = from + mark.length
    return { text: replace(from, to, mark + inside + mark), start: at, end: at + inside.length }
  }
  const [words, address] = LINK.test(inside) ? ['', inside] : [inside, 'https://']
  const at = words === '' ? from + 1 : from + words.length + 3 + address.length
  return { text: replace(from, to, `[${words}](${address})`), start: at, end: at }
}
