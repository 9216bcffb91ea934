import { type ComponentChildren, h } from 'preact'
import { toHtml } from './markdown.ts'
import { HAS_DIRECTION, type Node, parseMarkup } from './markup.ts'

const HTTPS = /^https:/i

/** Draws elements one by one: the service has not cleaned them, so no string of markup gets into the page. */
function draw(node: Node): ComponentChildren {
  if (typeof node === 'string') return node
  const { tag, attributes, children } = node
  const { href = '', src = '', alt = '' } = attributes
  const inside = children.map(draw)
  if (tag === 'img') return HTTPS.test(src) && <img src={src} alt={alt} referrerpolicy="no-referrer" />
  if (tag !== 'a') return h(tag, HAS_DIRECTION.test(tag) ? { dir: 'auto' } : null, ...inside)
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  )
}

/** A typed text as readers will see it. */
export const Preview = ({ typed }: { typed: string }) => (
  <div class="comment-body" dir="auto">
    {parseMarkup(toHtml(typed)).map(draw)}
  </div>
)
