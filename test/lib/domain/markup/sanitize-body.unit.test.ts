import { expect, it } from 'vitest'
import { sanitizeBody } from '#lib/domain/markup/sanitize-body'

it('every allowed tag is kept', () => {
  const html =
    '<h3>T</h3><p>a<br /><strong>b</strong><em>c</em><s>d</s><code>e</code></p><pre>f</pre><ul><li>g</li></ul><ol><li>h</li></ol><blockquote>i</blockquote>'
  expect(sanitizeBody(html)).toBe(html)
})

it.each([
  ['<p>a<script>alert(1)</script></p>', '<p>a</p>'],
  ['<p onclick="x()" style="color:red" class="x">a</p>', '<p>a</p>'],
  ['<h1>a</h1>', 'a'],
  ['<iframe src="https://x.example"></iframe>a', 'a'],
  ['<svg><script>x</script></svg>a', 'a'],
  ['a <b', 'a'],
  ['<p>a', '<p>a</p>'],
  ['<a href="javascript:alert(1)">a</a>', '<a rel="nofollow noopener noreferrer">a</a>'],
  ['<a href="JaVa&#x09;script:alert(1)">a</a>', '<a rel="nofollow noopener noreferrer">a</a>'],
  ['<a href="data:text/html,x">a</a>', '<a rel="nofollow noopener noreferrer">a</a>'],
  ['<a href="//evil.example">a</a>', '<a rel="nofollow noopener noreferrer">a</a>'],
  [
    '<a href="https://x.example/a" target="_blank" rel="opener">a</a>',
    '<a href="https://x.example/a" rel="nofollow noopener noreferrer" target="_blank">a</a>',
  ],
  [
    '<a href="https://x.example/a" target="_top">a</a>',
    '<a href="https://x.example/a" rel="nofollow noopener noreferrer">a</a>',
  ],
  ['a<img src="http://x.example/a.png">', 'a'],
  ['a<img src="/a.png">', 'a'],
  ['a<img src="//x.example/a.png">', 'a'],
  ['a<img src="data:image/png;base64,AAAA">', 'a'],
  ['a<img src="https://x.example/a.png" onerror="x()" alt="b">', 'a<img src="https://x.example/a.png" alt="b" />'],
  ['1 < 2 & 3', '1 &lt; 2 &amp; 3'],
])('%j becomes %j', (body, clean) => {
  expect(sanitizeBody(body)).toBe(clean)
})

it('an image alone is accepted', () => {
  expect(sanitizeBody('<p><img src="https://x.example/a.png"></p>')).toContain('<img ')
})

it.each([
  '',
  ' \n',
  '&nbsp;',
  '<p>\u200b\u00ad</p>',
  '&#8203;',
  '<br>',
  '<p>\u3164</p>',
  '<p>\ufe0f\ufe0f</p>',
  '\u034f',
])('%j is refused as empty', (body) => {
  expect(() => sanitizeBody(body)).toThrow('The comment is empty')
})

it('a body whose markup becomes much longer than what was sent is refused', () => {
  expect(() => sanitizeBody(`x${'<a></a>'.repeat(1_400)}`)).toThrow('The comment has too much markup')
})

it('10,000 characters of nested tags take little time', () => {
  const startedAt = performance.now()
  sanitizeBody(`x${'<blockquote>'.repeat(800)}deep`)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
