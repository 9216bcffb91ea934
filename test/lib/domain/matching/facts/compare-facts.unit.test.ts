import { expect, test } from 'vitest'
import { compareDescriptions, readDescription } from '#lib/domain/matching/facts/compare-facts'

// A document as another program may have stored it: what the types do not allow is the point.
const odd = (value: unknown) => value as never

const describes = (subject: unknown, game: unknown, titles: readonly string[]) =>
  compareDescriptions(readDescription(subject), game, titles)

const story = 'Squad Seven of Gallia fights the invading Empire in a war over ragnite mines and old ruins near Bruhl'
const other =
  'Farmers grow turnips, marry villagers, fish in quiet rivers, dig copper below mountains, feed chickens and cows, visit yearly festivals'

test('two descriptions agree by the rare words that both have', () => {
  expect(describes(story, 'Welkin leads Squad Seven of Gallia against the invading Empire', [])).toBe(1)
  expect(describes(`${story}: soldiers, tanks, medals, snipers`, other, [])).toBe(0)
})

test('words of the title and common words do not count', () => {
  const text = (word: string) => `${word} game where the player must fight through a world of ${word}`

  expect(describes(text('Gallia'), text('Gallia'), ['Gallia'])).toBeNull()
})

test('short, missing and malformed descriptions do not count', () => {
  expect(describes('A short text', story, [])).toBeNull()
  expect(describes(null, story, [])).toBeNull()
  expect(describes(odd(5), story, [])).toBeNull()
})
