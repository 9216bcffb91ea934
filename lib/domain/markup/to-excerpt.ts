import sanitizeHtml from 'sanitize-html'
import { EXCERPT_MAX } from '../../contract/limits.ts'

const BLOCK_END = /<(?:\/(?:p|h3|li|blockquote|pre)|br)\b/g
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** Converts a comment's markup to one line of text: 200 characters, then `…`. */
export function toExcerpt(body: string): string {
  const escaped = sanitizeHtml(body.replace(BLOCK_END, ' $&'), { allowedTags: [], allowedAttributes: {} })
  const text = escaped
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
  // A surrogate pair is one character and is not divided.
  const characters = [...text]
  return characters.length > EXCERPT_MAX ? `${characters.slice(0, EXCERPT_MAX).join('')}…` : text
}
