import { draw } from './draw-markup.tsx'
import { toHtml } from './markdown.ts'
import { parseMarkup } from './markup.ts'

/** A typed text as readers will see it. */
export const Preview = ({ typed }: { typed: string }) => (
  <div class="comment-body" dir="auto">
    {parseMarkup(toHtml(typed)).map((node) => draw(node, 'shown'))}
  </div>
)
