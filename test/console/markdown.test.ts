import { describe, expect, test } from 'vitest'
import { toHtml, toTyped } from '../../lib/console/discussion/markdown.ts'
import { parseMarkup, toText } from '../../lib/console/discussion/markup.ts'
import { sanitizeBody } from '../../lib/markup/sanitize-body.ts'

const store = (typed: string) => sanitizeBody(toHtml(typed))

describe('what is typed', () => {
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
  ])('is read as it is: %s', (typed) => {
    expect(toText(parseMarkup(store(typed)))).toBe(typed)
    expect(store(typed)).not.toMatch(/<(?!\/?p>)/)
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
  ])('becomes formatting: %s', (typed, stored) => {
    expect(store(typed)).toBe(stored)
    expect(toTyped(stored)).toBe(typed)
  })
})

const INLINE = [
  'plain',
  'a &lt;b and c&gt; d &amp;amp;',
  '*stars* and _lines_ and `ticks` and [brackets](x)',
  '~~struck~~ \\ back\\*slash',
  '<strong>b</strong>',
  '<em>i</em>',
  '<strong><em>both</em></strong>',
  '<em><strong>both</strong> one</em>',
  '<s>gone</s>',
  '<code>c = `d`</code>',
  '<code>*x*</code>',
  'x<strong>y</strong>z',
  '<a href="https://example.com/a_b?c=(d)&amp;e">a *link*</a>',
  '<a href="https://example.com/">https://example.com/</a>',
  'not linked: https://example.com/',
  '<img src="https://example.com/a.png" alt="A &quot;cover&quot;" />',
  '- no list',
  '1. no list',
  '&gt; no quote',
  '### no heading',
  'one<br />two<br />- three',
]
const BLOCKS = INLINE.flatMap((text) => [
  `<p>${text}</p>`,
  `<p>${text}</p><p>after</p>`,
  `<blockquote><p>${text}</p></blockquote>`,
  `<ul><li>${text}</li><li>b</li></ul>`,
  `<ul><li><p>${text}</p></li><li><p>b</p></li></ul>`,
  `<h3>head</h3><p>${text}</p>`,
  `<ol><li>a</li><li>${text}</li></ol>`,
])
const MORE = [
  '<pre><code>x &lt;y&gt;\n  `z`\n</code></pre>',
  '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>',
  '<blockquote><p>a</p><blockquote><p>b</p></blockquote><ul><li>c</li></ul></blockquote><p>d</p>',
  '<p>a</p><ul><li>b</li></ul><p>c</p>',
]

test('a stored body becomes text that yields the same body', () => {
  const bodies = [...BLOCKS, ...MORE].map(sanitizeBody)
  const different = bodies.filter(
    (body) => JSON.stringify(parseMarkup(store(toTyped(body)))) !== JSON.stringify(parseMarkup(body)),
  )
  expect(different.map((body) => [body, toTyped(body), store(toTyped(body))])).toEqual([])
})
