import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHtml, toTyped } from '../../lib/console/discussion/markdown.ts'
import { parseMarkup, toText } from '../../lib/console/discussion/markup.ts'
import { sanitizeBody } from '../../lib/domain/markup/sanitize-body.ts'

const store = (typed: string) => sanitizeBody(toHtml(typed))

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
const SIGNS = PRINTABLE.filter((sign) => /[^a-z0-9 ]/i.test(sign))

describe('typed text', () => {
  test.each([
    'a <b and c> d',
    '<script>alert(1)</script> & <b>bold</b>',
    '&amp; &lt; "quoted"',
    'snake_case and 2 * 3 * 4',
    '1986. What a year',
    '# one, not a heading',
    'C:\\games and a | b',
    'www.example.com, a@example.com, //example.com, ftp://example.com',
    '+1, -1 and ~5',
    '[x](javascript:alert(1))',
    String.raw`C:\Users\me\.config\_saves, C:\*.exe and D:\*.txt`,
    String.raw`¯\_(ツ)_/¯ and \\server\share and \[x](y)`,
    '>:(',
    '>_<',
    '>100 hours',
    '>',
    '__init__ and _emphasis_ and ~~uwu~~',
    '2*3*4 = 24, 2**3**2',
    '1. one\n2. two\n1986. three',
    '### no heading',
    '* star',
    '+ plus',
    '1) one',
    '-',
    '```',
    'a[i](j), [site](example.com/page), [file](/etc/passwd)',
    '[name](https://)',
  ])('is read as it is: %s', (typed) => {
    expect(toText(parseMarkup(store(typed)))).toBe(typed)
    expect(store(typed)).not.toMatch(/<(?!\/?p>|br )/)
  })

  test.each([
    ['**b**, *i* and `c<d`', '<p><strong>b</strong>, <em>i</em> and <code>c&lt;d</code></p>'],
    ['one\ntwo\n\nthree', '<p>one<br />\ntwo</p>\n<p>three</p>'],
    ['> said\n> who', '<blockquote>\n<p>said<br />\nwho</p>\n</blockquote>'],
    ['- a\n- b\n  - c', '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>'],
    [
      '[keep](https://example.com/?a=1&b=2)',
      '<p><a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener noreferrer">keep</a></p>',
    ],
    [
      'https://example.com/ä',
      '<p><a href="https://example.com/%C3%A4" rel="nofollow noopener noreferrer">https://example.com/ä</a></p>',
    ],
    [
      '[name](https://example.com "title")',
      '<p>[name](<a href="https://example.com" rel="nofollow noopener noreferrer">https://example.com</a> "title")</p>',
    ],
    ['日本**太字**です', '<p>日本<strong>太字</strong>です</p>'],
    ['> said\nwho', '<blockquote>\n<p>said</p>\n</blockquote>\n<p>who</p>', '> said\n\nwho'],
    ['> said\n>:(', '<blockquote>\n<p>said</p>\n</blockquote>\n<p>&gt;:(</p>', '> said\n\n>:('],
    [
      '<https://example.com/a>',
      '<p>&lt;<a href="https://example.com/a" rel="nofollow noopener noreferrer">https://example.com/a</a>&gt;</p>',
    ],
    ['> a\n>\n> b', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>', '> a\n> \n> b'],
    ['```js\na_b\n\\*\n```', '<pre><code>a_b\n\\*\n</code></pre>', '```\na_b\n\\*\n```'],
    ['`C:\\Users\\`', '<p><code>C:\\Users\\</code></p>'],
    [
      '![A *cat*](http://example.com/a_b.png)',
      '<p><a href="http://example.com/a_b.png" rel="nofollow noopener noreferrer">A *cat*</a></p>',
      '[A \u2063*cat\u2063*](http://example.com/a_b.png)',
    ],
    [
      '![](http://example.com/a.png)',
      '<p><a href="http://example.com/a.png" rel="nofollow noopener noreferrer">http://example.com/a.png</a></p>',
      'http://example.com/a.png',
    ],
  ])('becomes formatting: %s', (typed, stored, again = typed) => {
    expect(store(typed)).toBe(stored)
    expect(toTyped(stored).replace(/\u2063(?!\*)/g, '')).toBe(again)
  })

  test('is read as it is, whatever the sign and its neighbours', () => {
    const around = (sign: string) => [
      `a ${sign} b`,
      `${sign}a b`,
      `a b${sign}`,
      `a${sign}b`,
      `(${sign}) a`,
      `\\${sign}a`,
      `C:\\${sign} a`,
      `a ${sign}${sign} b`,
      `a\n${sign}b`,
    ]
    const typed = SIGNS.flatMap(around)
    expect(typed.map((text) => toText(parseMarkup(store(text))))).toEqual(typed)
  })

  test('is read as it is where no sign stands twice', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(PRINTABLE, { minLength: 10 }), (signs) => {
        const typed = `a${signs.join('')}z`
        expect(toText(parseMarkup(store(typed)))).toBe(typed)
      }),
      { seed: 26, numRuns: 2_000 },
    )
  })
})

/** Texts that would be forms if they were typed. */
const TRAPS = [
  '- no list',
  '1. no list',
  '> no quote',
  '### no heading',
  'not linked: https://example.com/',
  'https://example.com/',
  '*stars* and _lines_ and `ticks` and [brackets](x)',
  String.raw`~~struck~~ \ back\*slash`,
  '&amp; <b>',
]

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const element = (tag: string) => (content: string) => `<${tag}>${content}</${tag}>`
/** Texts as a browser displays them: single spaces, none at the edges. */
const signs = fc
  .array(fc.constantFrom(...PRINTABLE), { minLength: 1, maxLength: 12 })
  .map((signs) => signs.join('').trim().replace(/ +/g, ' '))
  .filter((text) => text !== '')
const plainText = fc.oneof({ weight: 4, arbitrary: signs }, fc.constantFrom(...TRAPS))
const plain = plainText.map(escapeHtml)
const address = fc.constantFrom(
  'https://example.com/',
  'http://example.com/a_b?c=(d)&amp;e',
  'mailto:a@example.com',
  '/games/x',
)
const code = plain.map(element('code'))
const image = plain.map((alt) => `<img src="https://example.com/a_1.png" alt="${alt.replaceAll('"', '&quot;')}" />`)
/** Inline markup of all tags that may be in it, each at most once on a path. */
const inlineOf = (tags: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: plain },
        code,
        ...tags.map((tag) => {
          const inside = tags.length > 2 ? inlineOf(tags.filter((other) => other !== tag)) : plain
          return tag === 'a'
            ? fc.tuple(address, inside).map(([href, text]) => `<a href="${href}">${text}</a>`)
            : inside.map(element(tag))
        }),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join(''))
const inlines = fc.oneof(inlineOf(['strong', 'em', 's', 'a']), image)
const lines = fc.array(inlines, { minLength: 1, maxLength: 3 }).map((each) => each.join('<br />'))
const paragraph = lines.map(element('p'))
const listOf = (item: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('ul', 'ol'), fc.array(item.map(element('li')), { minLength: 1, maxLength: 3 }))
const list = fc
  .oneof(
    listOf(lines),
    listOf(fc.tuple(lines, listOf(lines)).map(([text, [tag, items]]) => text + element(tag)(items.join('')))),
  )
  .map(([tag, items]) => element(tag)(items.join('')))
const pre = fc
  .array(plainText, { minLength: 1, maxLength: 3 })
  .map((each) => element('pre')(element('code')(escapeHtml(`${each.join('\n')}\n`))))
const block = fc.oneof(
  paragraph,
  inlines.map(element('h3')),
  list,
  pre,
  fc.oneof(paragraph, list).map(element('blockquote')),
)

function expectSame(stored: string) {
  const body = sanitizeBody(stored)
  expect(parseMarkup(store(toTyped(body)))).toEqual(parseMarkup(body))
}

test('a stored body becomes text that yields the same body for any plain text', () => {
  const body = fc.array(plain, { minLength: 1, maxLength: 3 }).map((each) => element('p')(each.join('<br />')))
  fc.assert(fc.property(body, expectSame), { seed: 26, numRuns: 1_000 })
})

test('a stored body becomes text that yields the same body for any nesting of the forms', () => {
  // A paragraph parts two lists, which would be one.
  const body = fc.array(block, { minLength: 1, maxLength: 3 }).map((each) => each.join('<p>and</p>'))
  fc.assert(fc.property(body, expectSame), { seed: 26, numRuns: 500 })
})
