const TAG = /\[(\/?)(b|i|u|s|spoiler|quote|code|raw|url)(?:(?<=url)=[^\s[\]]*)?\]/gi

/** Removes spaces at the end of each line, and joins runs of spaces and of empty lines. */
const tidy = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]{2,}/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/**
 * Turns a text with VNDB's formatting codes into plain text without its spoilers. It reads the text in one pass, whose time grows
 * with the length alone. An unclosed spoiler hides the rest, as on the site.
 */
export function removeBbcode(text: string): string {
  let plain = ''
  let at = 0
  let spoilers = 0
  /** The open `[raw]` or `[code]`, in which only its end is a tag. */
  let verbatim: string | undefined

  const keepUntil = (end: number) => {
    if (spoilers === 0) plain += text.slice(at, end)
  }

  for (const { 0: tag, 1: slash, 2: written = '', index } of text.matchAll(TAG)) {
    const name = written.toLowerCase()
    const isEnd = slash === '/'
    if (verbatim !== undefined && !(isEnd && name === verbatim)) continue

    keepUntil(index)
    at = index + tag.length
    if (name === 'raw' || name === 'code') verbatim = isEnd ? undefined : name
    if (name === 'spoiler') spoilers = Math.max(0, spoilers + (isEnd ? -1 : 1))
  }
  keepUntil(text.length)
  return tidy(plain)
}
