import { expect, test } from 'vitest'
import { html } from '../../../lib/docs/html.ts'

test('values are escaped, in text and in attributes', () => {
  const value = `<script>alert("1" & '2')</script>`

  expect(html`<p title="${value}">${value}</p>`.markup).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;">' +
      '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;</p>',
  )
})

test('markup within markup stays, alone and in a list', () => {
  const items = ['a', '<b>'].map((name) => html`<li>${name}</li>`)

  expect(html`<ul>${items}</ul>${html`<hr>`}${3}`.markup).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>3')
})

test('a backslash is a backslash', () => {
  expect(html`<code>\n ${'\\'}</code>`.markup).toBe('<code>\n \\</code>')
})
