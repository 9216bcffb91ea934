/** Turns what was typed into the HTML that the service takes: paragraphs at empty lines, breaks at line ends. */
export function toBody(typed: string): string {
  const text = typed.trim()
  if (!text.includes('\n')) return text
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) =>
      /^<(ul|ol|pre|h3|blockquote)\b/i.test(paragraph) ? paragraph : `<p>${paragraph.replaceAll('\n', '<br>')}</p>`,
    )
    .join('')
}

/** Turns a stored body into what can be edited. A `<` that would begin a tag stays written as an entity. */
export function toTyped(body: string): string {
  return body
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/p>\s*<p>/gi, '\n\n')
    .replace(/<\/?p>/gi, '\n\n')
    .replace(/&lt;(?![a-z/!?])/gi, '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&amp;(?!(\w+|#\w+);)/g, '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

export type Markup = 'bold' | 'italic' | 'link' | 'quote'

interface Selection {
  text: string
  start: number
  end: number
}

const LINK = /^https?:\/\/\S+$/i

function wrap(markup: Markup, chosen: string): { before: string; inside: string; after: string } {
  if (markup === 'bold') return { before: '<strong>', inside: chosen, after: '</strong>' }
  if (markup === 'italic') return { before: '<em>', inside: chosen, after: '</em>' }
  if (markup === 'quote') return { before: '<blockquote>', inside: chosen, after: '</blockquote>' }
  return LINK.test(chosen)
    ? { before: `<a href="${chosen}">`, inside: chosen, after: '</a>' }
    : { before: '<a href="https://">', inside: chosen, after: '</a>' }
}

/** Puts markup around what is selected, and answers what is selected then: the same text, or the place for it. */
export function addMarkup(markup: Markup, { text, start, end }: Selection): Selection {
  const { before, inside, after } = wrap(markup, text.slice(start, end))
  const changed = text.slice(0, start) + before + inside + after + text.slice(end)
  if (markup === 'link' && !LINK.test(inside)) {
    const at = start + before.length - 2
    return { text: changed, start: at, end: at }
  }
  return { text: changed, start: start + before.length, end: start + before.length + inside.length }
}
