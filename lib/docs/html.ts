/** A piece of a page that is markup already. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Html[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function toMarkup(part: Part): string {
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Joins markup and values; a value that is not markup itself is escaped. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: String.raw({ raw: strings }, ...parts.map(toMarkup)),
})
