/** An element of a comment; its text is a string. */
export interface Element {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: Node[]
}
export type Node = Element | string

const TAG_OR_TEXT = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z]+(?:="[^"]*")?)*)\s*\/?>|[^<]+/g
const ATTRIBUTE = /([a-z]+)="([^"]*)"/g
const VOID = new Set(['br', 'img'])
/** White space next to these elements is not displayed. */
const BLOCKS = new Set(['p', 'h3', 'ul', 'ol', 'li', 'blockquote', 'pre'])
/** Elements whose text has a direction of its own; that of a list is where its marks stand. */
export const HAS_DIRECTION = /^(?:p|h3|pre|ul|ol)$/
const KEPT_ATTRIBUTES = new Set(['href', 'src', 'alt'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const decode = (text: string) => text.replace(/&(amp|lt|gt|quot);/g, (entity, name) => ENTITIES[name] ?? entity)

function readAttributes(text: string): Record<string, string> {
  const found = [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, decode(value)] as const)
  return Object.fromEntries(found.filter(([name]) => KEPT_ATTRIBUTES.has(name)))
}

export const isBlock = (node: Node | undefined): boolean => typeof node === 'object' && BLOCKS.has(node.tag)

/** Collapses white space as a browser does: outside of code, line ends are spaces, and none touches a block. */
function cleanSpace(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node, index) => {
    if (typeof node !== 'string') return node.tag === 'pre' ? node : { ...node, children: cleanSpace(node.children) }
    const [before, after] = [nodes[index - 1], nodes[index + 1]]
    const isAfterBreak = typeof before === 'object' && before.tag === 'br'
    const spaced = node.replace(/[ \t]*\n[ \t]*/g, ' ')
    const begun = isBlock(before) || isAfterBreak ? spaced.trimStart() : spaced
    return (isBlock(after) ? begun.trimEnd() : begun) || []
  })
}

/** Reads markup as the service or the composer writes it: closed tags, quoted attributes, four entities. */
export function parseMarkup(html: string): Node[] {
  const root: Element = { tag: '', attributes: {}, children: [] }
  const open = [root]
  for (const [text, end, tag, attributes = ''] of html.matchAll(TAG_OR_TEXT)) {
    const parent = open.at(-1) ?? root
    if (tag === undefined) parent.children.push(decode(text))
    else if (end) {
      if (open.length > 1) open.pop()
    } else {
      const element: Element = { tag, attributes: readAttributes(attributes), children: [] }
      parent.children.push(element)
      if (!VOID.has(tag)) open.push(element)
    }
  }
  return cleanSpace(root.children)
}

export const toText = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? '\n' : toText(node.children))).join('')
