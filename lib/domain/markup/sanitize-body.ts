import sanitizeHtml from 'sanitize-html'
import { DomainError } from '../../base/errors.ts'
import { COMMENT_BODY_MAX, COMMENT_TAGS, isVisible, MESSAGES } from '../../contract/index.ts'

/** Links may open in a new tab, and never get access to the opening page. */
function hardenLink(tagName: string, { target, ...attribs }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const opened = target === '_blank' ? { target } : {}
  return { tagName, attribs: { ...attribs, ...opened, rel: 'nofollow noopener noreferrer' } }
}

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: COMMENT_TAGS,
  allowedAttributes: { a: ['href', 'target', 'rel'], img: ['src', 'alt'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  nestingLimit: 50,
  transformTags: { a: hardenLink },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^https:\/\//i.test(attribs.src ?? ''),
}

/** Removes the tags of clean markup, where no attribute contains one. */
const stripTags = (clean: string) => clean.replace(/<[^>]*>/g, '')

/** Escaping makes markup longer than the text that was sent; beyond this it is no text any more. */
const CLEAN_MAX = 3 * COMMENT_BODY_MAX

/**
 * Cleans rich text with the allow-list of comments.
 * @throws DomainError INVALID when neither a text nor an image is left, or too much markup
 */
export function sanitizeBody(body: string): string {
  const clean = sanitizeHtml(body, ALLOWED).trim()
  if (!clean.includes('<img ') && !isVisible(stripTags(clean))) throw new DomainError('INVALID', MESSAGES.commentEmpty)
  if (clean.length > CLEAN_MAX) throw new DomainError('INVALID', MESSAGES.commentMarkup)
  return clean
}
