import { expect, it } from 'vitest'
import { removeBbcode } from '#lib/infrastructure/sources/vndb/remove-bbcode'

it.each([
  ['A [b]short[/b] tale. [spoiler]It ends.[/spoiler]', 'A short tale.'],
  ['[b]a [i]b [u]c [s]d[/s][/u][/i][/b]', 'a b c d'],
  ['[quote]said[/quote] so', 'said so'],
  ['[url=https://example.com/a?b=c]the site[/url], [url=/v17]v17[/url]', 'the site, v17'],
  ['See https://example.com/[x] and v17, d2#3', 'See https://example.com/[x] and v17, d2#3'],
  ['[B]loud[/B] [SPOILER]hidden[/Spoiler]', 'loud'],
  ['[code]if (a[b]) [i][/code] [i]x[/i]', 'if (a[b]) [i] x'],
  ['[raw][spoiler]shown[/spoiler][/raw]', '[spoiler]shown[/spoiler]'],
  ['[raw][code][/raw][b]x[/b]', '[code]x'],
  ['[From [url=http://publisher.example]the publisher[/url]]', '[From the publisher]'],
  ['stray [/b] and [/url] and [url=]', 'stray and and'],
  ['[list] [1] []', '[list] [1] []'],
  ['', ''],
])('%s reads %j', (text, plain) => {
  expect(removeBbcode(text)).toBe(plain)
})

it.each([
  ['hides what other tags hold within it', 'a [spoiler][b]x[/b] [url=/v1]y[/url][/spoiler] b', 'a b'],
  ['within another ends with the outer one', 'a [spoiler]x [spoiler]y[/spoiler] z[/spoiler] b', 'a b'],
  ['that nothing closes hides the rest', 'a [spoiler]x [b]y', 'a'],
  ['is not closed by the end of another tag', 'a [b][spoiler]x[/b] y[/spoiler] b', 'a b'],
  ['is not closed by what is raw in it', 'a [spoiler][raw][/spoiler][/raw] x[/spoiler] b', 'a b'],
  ['that was never opened does not uncover a later one', '[/spoiler]a [spoiler]x[/spoiler] b', 'a b'],
])('a spoiler %s', (_rule, text, plain) => {
  expect(removeBbcode(text)).toBe(plain)
})

it('paragraphs stay, further space is removed', () => {
  expect(removeBbcode('one  \r\ntwo\n\n\n[spoiler]x[/spoiler]\n\nthree   \n')).toBe('one\ntwo\n\nthree')
})

it.each([
  ['open brackets', '['.repeat(2_000_000)],
  ['links that begin and never end', '[url='.repeat(400_000)],
  ['one link without its end', `[url=${'x'.repeat(2_000_000)}`],
  ['open spoilers', `a${'[spoiler]'.repeat(200_000)}`],
  ['spaces', `${' '.repeat(2_000_000)}x`],
  ['lines of tabs', '\t\n'.repeat(1_000_000)],
])('a text of two million characters of %s is one pass', (_what, text) => {
  const before = process.cpuUsage()
  removeBbcode(text)
  const { user, system } = process.cpuUsage(before)

  // Anything that grew with the square would take minutes.
  expect((user + system) / 1e6).toBeLessThan(15)
})
