import MarkdownIt from 'markdown-it'
import { type Element, isBlock, type Node, parseMarkup, toText } from './markup.ts'

const md = new MarkdownIt('zero', { html: false, breaks: true, linkify: true })
md.enable(['emphasis', 'strikethrough', 'backticks', 'escape', 'link', 'image', 'newline', 'linkify'])
md.enable(['blockquote', 'fence', 'list', 'heading'])
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
for (const schema of ['ftp:', '//', 'mailto:']) md.linkify.add(schema, null)
// The text of a typed link stays as it was typed.
md.normalizeLinkText = (text) => text

function narrow(name: 'list' | 'heading', isMeant: RegExp): void {
  const [rule] = new MarkdownIt('zero').enable(name).block.ruler.getRules('')
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`)
  md.block.ruler.at(
    name,
    (state, line, end, isSilent) => {
      const text = state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
      const isNext = isSilent && state.listIndent >= 0
      return (isMeant.test(text) || isNext) && rule(state, line, end, isSilent)
    },
    { alt: ['paragraph', 'blockquote'] },
  )
}
// The service stores no start number of a list, and headings of one level.
narrow('list', /^(?:[-*+]|1[.)])\s/)
narrow('heading', /^### /)

/** Converts typed Markdown to HTML that the service accepts. Tags cannot be typed: each `<` is text. */
export const toHtml = (typed: string): string => md.render(typed.trim()).trim()

interface Style {
  /** Whether characters with a meaning in Markdown are escaped. */
  isEscaped: boolean
  emphasis: '*' | '_'
}

const SPECIAL = /[\\*_`[\]~]|:\/\//g
const SPECIAL_AT_START = /^(?:[>+-]|###(?= )|1(?=[.)]\s))/gm

function escapeText(text: string, { isEscaped }: Style): string {
  if (!isEscaped) return text
  const escaped = text.replace(SPECIAL, (special) => (special === '://' ? ':\\/\\/' : `\\${special}`))
  return escaped
    .replace(SPECIAL_AT_START, (start) => (start === '1' ? start : `\\${start}`))
    .replace(/^1([.)]\s)/gm, '1\\$1')
}

function fence(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest >= least ? longest + 1 : least)
}

const LINK = /^https?:\/\/\S+$/i

const toTarget = (address: string) => (/[\s()<>]/.test(address) ? `<${address}>` : address)

const hasEdge = (text: string) => /^`|`$/.test(text) || /^ .* $/.test(text)

function inline(nodes: readonly Node[], style: Style): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeText(node, style) : inlineElement(node, style))).join('')
}

function inlineElement({ tag, attributes, children }: Element, style: Style): string {
  const { href = '', src = '', alt = '' } = attributes
  const text = inline(children, style)
  switch (tag) {
    case 'br':
      return '\n'
    case 'strong':
      return `**${text}**`
    case 'em':
      return style.emphasis + text + style.emphasis
    case 's':
      return `~~${text}~~`
    case 'code': {
      const code = toText(children)
      const [marks, space] = [fence(code, 1), hasEdge(code) ? ' ' : '']
      return marks + space + code + space + marks
    }
    case 'img':
      return `![${escapeText(alt, style)}](${toTarget(src)})`
    case 'a':
      return !style.isEscaped && LINK.test(toText(children)) ? toText(children) : `[${text}](${toTarget(href)})`
    default:
      return text
  }
}

const indent = (text: string, first: string, rest: string) => first + text.replace(/\n(?=.)/g, `\n${rest}`)

function block(node: Node, style: Style): string {
  if (typeof node === 'string') return inline([node], style)
  switch (node.tag) {
    case 'h3':
      return `### ${inline(node.children, style)}`
    case 'pre': {
      const code = toText(node.children)
      return `${fence(code, 3)}\n${code}${code.endsWith('\n') ? '' : '\n'}${fence(code, 3)}`
    }
    case 'blockquote':
      return blocks(node.children, style).replace(/^/gm, '> ')
    case 'ul':
    case 'ol':
      return list(node, style)
    default:
      return inline(node.children, style)
  }
}

function list({ tag, children }: Element, style: Style): string {
  const items = children.filter((child) => typeof child === 'object')
  const isLoose = items.some((item) => item.children.some((child) => typeof child === 'object' && child.tag === 'p'))
  return items
    .map((item, index) => {
      const mark = tag === 'ul' ? '- ' : `${index + 1}. `
      return indent(blocks(item.children, style, isLoose ? '\n\n' : '\n'), mark, ' '.repeat(mark.length))
    })
    .join(isLoose ? '\n\n' : '\n')
}

function blocks(nodes: readonly Node[], style: Style, between = '\n\n'): string {
  const groups: Node[][] = []
  for (const node of nodes) {
    const last = groups.at(-1)
    if (last !== undefined && !isBlock(node) && !isBlock(last[0])) last.push(node)
    else groups.push([node])
  }
  const texts = groups.map((group) => {
    const [first] = group
    return first !== undefined && isBlock(first) ? block(first, style) : inline(group, style)
  })
  return texts.filter((text) => text.trim() !== '').join(between)
}

const STYLES: readonly Style[] = [false, true].flatMap((isEscaped) =>
  (['*', '_'] as const).map((emphasis) => ({ isEscaped, emphasis })),
)

const normalize = (html: string) => JSON.stringify(parseMarkup(html))

/** Converts a stored body to the plainest Markdown that yields the same HTML. */
export function toTyped(body: string): string {
  const nodes = parseMarkup(body)
  const wanted = JSON.stringify(nodes)
  const typed = STYLES.map((style) => blocks(nodes, style).trim())
  const [plain = '', , escaped = plain] = typed
  return typed.find((text) => normalize(toHtml(text)) === wanted) ?? escaped
}

/** The HTML to send for a text: the stored body itself where the text was not edited. */
export const toBody = (typed: string, stored?: string): string =>
  stored !== undefined && toTyped(stored) === typed.trim() ? stored : toHtml(typed)
