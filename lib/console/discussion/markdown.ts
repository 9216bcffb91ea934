import MarkdownIt from 'markdown-it'
import { type Element, isBlock, type Node, parseMarkup, toText } from './markup.ts'

/**
 * An invisible sign for stored forms that cannot be typed: two of them separate what Markdown would join, and one before
 * a sign makes the sign text, or the form of another client: strikes, headings and numbered lists are not typed.
 */
const MARK = '\u2063'
const FORMS_OF_OTHERS = String.raw`~~|###(?= )|(?<=\d\u2063?)\.(?=\s)`
/** Signs without a meaning: stars within a word or after a backslash, and a `>` that begins no quote although it could. */
const NO_FORMS = String.raw`_|(?<=[a-z\d])\*+(?=[a-z\d])|(?<=\\)(?:\*+|\[)|(?<![^\s>-])>(?! +\S| *\n *>)`
const SIGNS = '!#()*-.:>[]_`~'
const TYPED = new RegExp(
  `${MARK}{2}|${MARK}?(${FORMS_OF_OTHERS})|${MARK}?(${NO_FORMS})|${MARK}([${SIGNS.replace(/[\]-]/g, '\\$&')}])|[${MARK}\ufdd0-\ufdef]`,
  'gi',
)
/** Noncharacters hide signs that are text from Markdown; the first one is nothing. */
const NOTHING = '\ufdd0'
const hide = (signs: string) => signs.replace(/./g, (sign) => String.fromCharCode(0xfdd1 + SIGNS.indexOf(sign)))
const show = (text: string) => text.replace(/[\ufdd0-\ufdef]/g, (sign) => SIGNS.charAt(sign.charCodeAt(0) - 0xfdd1))

const hideText = (typed: string) =>
  typed.replace(TYPED, (found, form: string | undefined, noForm: string | undefined, marked: string | undefined) => {
    if (found === MARK + MARK) return NOTHING
    return form !== undefined && found !== form ? form : hide(form ?? noForm ?? marked ?? '')
  })

const md = new MarkdownIt('zero', { html: false, breaks: true, linkify: true })
md.enable(['emphasis', 'strikethrough', 'backticks', 'link', 'image', 'newline', 'linkify'])
md.enable(['blockquote', 'fence', 'list', 'heading'])
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
for (const schema of ['ftp:', '//', 'mailto:']) md.linkify.add(schema, null)
// The text of a typed link stays as it was typed.
md.normalizeLinkText = (text) => text
md.helpers.parseLinkTitle = () => ({ ok: false, can_continue: false, pos: 0, str: '', marker: 0 })

const ABSOLUTE = /^(?:https?:\/\/|mailto:)[^\s/]/i
const normalizeLink = md.normalizeLink.bind(md)
// A relative address would lead into the page that shows the comment; only other clients store one.
md.validateLink = (address) => ABSOLUTE.test(address) || address.startsWith(NOTHING)
md.normalizeLink = (address) => (address.startsWith(NOTHING) ? NOTHING : '') + normalizeLink(show(address))

const renderImage = md.renderer.rules.image
// The service stores images by https alone: another one is a link, which stands in no other link.
md.renderer.rules.image = (tokens, index, options, env, renderer) => {
  const token = tokens[index]
  const address = String(token?.attrGet('src') ?? '')
  if (/^https:/i.test(address)) return renderImage?.(tokens, index, options, env, renderer) ?? ''
  const text = md.utils.escapeHtml(token?.content || address)
  const around = tokens.findLast(({ type }, at) => at < index && type.startsWith('link_'))
  return around?.type === 'link_open' ? text : `<a href="${md.utils.escapeHtml(address)}">${text}</a>`
}

type Lines = (line: number) => string

/** Limits a rule of Markdown to the lines of a form. `findEnd` answers the line after the form, or 0 where none begins. */
function narrow(
  name: 'list' | 'heading' | 'fence' | 'blockquote',
  findEnd: (read: Lines, line: number, end: number) => number,
): void {
  const [rule] = new MarkdownIt('zero').enable(name).block.ruler.getRules('')
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`)
  md.block.ruler.at(
    name,
    (state, line, end, isSilent) => {
      const read: Lines = (at) => state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at])
      const isNextItem = name === 'list' && isSilent && state.listIndent >= 0
      const last = isNextItem ? end : findEnd(read, line, end)
      return last > 0 && rule(state, line, last, isSilent)
    },
    { alt: ['paragraph', 'blockquote'] },
  )
}

const findLine = (isFound: (text: string) => boolean, read: Lines, from: number, end: number) => {
  let line = from
  while (line < end && !isFound(read(line))) line += 1
  return line
}
narrow('list', (read, line, end) => (/^(?:-|1\.) +\S/.test(read(line)) ? end : 0))
narrow('heading', (read, line, end) => (read(line).startsWith('### ') ? end : 0))
narrow('blockquote', (read, line, end) => findLine((text) => !text.startsWith('>'), read, line, end))
narrow('fence', (read, line, end) => {
  const [, marks] = /^(`{3,})\w*$/.exec(read(line).trimEnd()) ?? []
  if (marks === undefined) return 0
  const close = findLine((text) => text.trimEnd().startsWith(marks) && /^`+ *$/.test(text), read, line + 1, end)
  return close < end ? close + 1 : 0
})

/** Converts typed Markdown to HTML that the service accepts. Tags cannot be typed: each `<` is text. */
export const toHtml = (typed: string): string => show(md.render(hideText(typed.trim())).trim())

const SPECIAL = /[*`[\]!>]|^-|:(?=\/\/)|#(?=\s*$)/gm

/** `isMarked`: characters with a meaning in Markdown are marked as text, and elements are kept apart. */
const escapeText = (text: string, isMarked: boolean) => (isMarked ? text.replace(SPECIAL, `${MARK}$&`) : text)

const apart = (text: string, isMarked: boolean) => (isMarked && text !== '\n' ? MARK + MARK + text + MARK + MARK : text)

function fence(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest >= least ? longest + 1 : least)
}

const toTarget = (address: string) =>
  (ABSOLUTE.test(address) ? '' : MARK + MARK) + address.replace(/[()]/g, `${MARK}$&`)

const hasEdge = (text: string) => /^`|`$/.test(text) || /^ .* $/.test(text)

const inline = (nodes: readonly Node[], isMarked: boolean): string =>
  nodes
    .map((node) => {
      return typeof node === 'string' ? escapeText(node, isMarked) : apart(inlineElement(node, isMarked), isMarked)
    })
    .join('')

const normalize = (html: string) => JSON.stringify(parseMarkup(html))

/** True when the text of a link, typed alone, yields the link. */
const isTypedBare = (link: Element) =>
  normalize(toHtml(toText(link.children))) === JSON.stringify([{ tag: 'p', attributes: {}, children: [link] }])

function inlineElement(element: Element, isMarked: boolean): string {
  const { tag, attributes, children } = element
  const { href = '', src = '', alt = '' } = attributes
  const text = inline(children, isMarked)
  switch (tag) {
    case 'br':
      return '\n'
    case 'strong':
      return `**${apart(text, isMarked)}**`
    case 'em':
      return `*${apart(text, isMarked)}*`
    case 's':
      return `${MARK}~~${apart(text, isMarked)}${MARK}~~`
    case 'code': {
      const code = toText(children)
      const [marks, space] = [fence(code, 1), hasEdge(code) ? ' ' : '']
      return marks + space + code + space + marks
    }
    case 'img':
      return `![${escapeText(alt, isMarked)}](${toTarget(src)})`
    case 'a':
      return !isMarked && isTypedBare(element) ? toText(children) : `[${text}](${toTarget(href)})`
    default:
      return text
  }
}

const indent = (text: string, first: string, rest: string) => first + text.replace(/\n(?=.)/g, `\n${rest}`)

function block(node: Node, isMarked: boolean): string {
  if (typeof node === 'string') return inline([node], isMarked)
  switch (node.tag) {
    case 'h3':
      return `${MARK}### ${inline(node.children, isMarked)}`
    case 'pre': {
      const code = toText(node.children)
      return `${fence(code, 3)}\n${code}${code.endsWith('\n') ? '' : '\n'}${fence(code, 3)}`
    }
    case 'blockquote':
      return blocks(node.children, isMarked).replace(/^/gm, '> ')
    case 'ul':
    case 'ol':
      return list(node, isMarked)
    default:
      return inline(node.children, isMarked)
  }
}

function list({ tag, children }: Element, isMarked: boolean): string {
  const items = children.filter((child) => typeof child === 'object')
  const isLoose = items.some((item) => item.children.some((child) => typeof child === 'object' && child.tag === 'p'))
  return items
    .map((item, index) => {
      const mark = tag === 'ul' ? '- ' : `${index + 1}${MARK}. `
      return indent(blocks(item.children, isMarked, isLoose ? '\n\n' : '\n'), mark, ' '.repeat(mark.length))
    })
    .join(isLoose ? '\n\n' : '\n')
}

function blocks(nodes: readonly Node[], isMarked: boolean, between = '\n\n'): string {
  const groups: Node[][] = []
  for (const node of nodes) {
    const last = groups.at(-1)
    if (last !== undefined && !isBlock(node) && !isBlock(last[0])) last.push(node)
    else groups.push([node])
  }
  const texts = groups.map((group) => {
    const [first] = group
    return first !== undefined && isBlock(first) ? block(first, isMarked) : inline(group, isMarked)
  })
  return texts.filter((text) => text.trim() !== '').join(between)
}

/** Converts a stored body to the plainest Markdown that yields the same HTML. */
export function toTyped(body: string): string {
  const nodes = parseMarkup(body)
  const plain = blocks(nodes, false).trim()
  return normalize(toHtml(plain)) === JSON.stringify(nodes) ? plain : blocks(nodes, true).trim()
}

/** True when a stored body equals the sent body, apart from attributes and entities that the service writes. */
export const isSameMarkup = (stored: string, sent: string): boolean => normalize(stored) === normalize(sent)
