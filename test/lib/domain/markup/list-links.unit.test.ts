import { expect, test } from 'vitest'
import { listImages, listLinks } from '#lib/domain/markup/list-links'
import { sanitizeBody } from '#lib/domain/markup/sanitize-body'

test.each([
  ['<p>No link: http, www, example.com</p>', []],
  ['<a href="https://a.example/?a=1&b=2">here</a>', ['https://a.example/?a=1&amp;b=2']],
  ['<a href="https://a.example">https://a.example</a>', ['https://a.example']],
  ['<a href="mailto:a@a.example"><strong>write</strong></a>', ['mailto:a@a.example']],
  ['<a href="javascript:1">https://a.example https://b.example</a>', ['https://a.example', 'https://b.example']],
  ['HTTPS://A.example, www.b.example', ['HTTPS://A.example,', 'www.b.example']],
  ['ht<em>tps://a</em>.example<br>https://b.example', ['https://a.example', 'https://b.example']],
  ['<p>https://a.example</p><p>https://b.example</p>', ['https://a.example', 'https://b.example']],
  ['https&colon;//a.example', ['https://a.example']],
  ['<a href="https://a.example">one', ['https://a.example']],
  ['<a href="https://a.example"><a href="https://b.example">b</a></a>', ['https://a.example', 'https://b.example']],
  [
    '<a href="https://a.example">a</a>\n<a target="_blank" href="https://b.example">\nb</a>',
    ['https://a.example', 'https://b.example'],
  ],
])('the links of %j', (body, links) => {
  expect(listLinks(sanitizeBody(body))).toEqual(links)
})

test('images are not listed as links', () => {
  const body = sanitizeBody(
    '<img alt="https://x.example" src="https://a.example/1.png"><img src="https://a.example/2.png">',
  )
  expect(listImages(body)).toEqual(['https://a.example/1.png', 'https://a.example/2.png'])
  expect(listLinks(body)).toEqual([])
})
