import { expect, test } from 'vitest'
import { isAllVisible, isVisible, withoutUnseen } from '../../lib/contract/texts/visible-text.ts'
import { loadFunctions } from '../../lib/web/http/load-functions.ts'
import { listFields } from '../support/tools/list-texts.ts'

const fields = listFields(await loadFunctions())

const UNSEEN = [...'\u0000\u00ad\u034f\u115f\u200b\u202e\u2060\u3164\ufe0f\ufeff\ud800']
const EMOJI = ['❤️', '👩‍🚀', '👋🏽', '🏳️‍🌈', '☠️']

/** Fields that are not shown, and those whose emptiness is judged elsewhere: cleaned markup, and texts that become null. */
const NOT_SHOWN = [
  'password',
  'currentPassword',
  'newPassword',
  'preset',
  'searchString',
  'search',
  'target',
  'idOrSlug',
  'externalId',
  'entryId',
  'fields.0',
  'body',
  'note',
  'reason',
  'email',
  'until',
  'description',
  'asset',
  'folder',
  'entityId',
  'objectId',
  'id',
  'before',
  'since',
  'updatedAt',
]
const LINES = [
  'entries.0.description',
  'payload.summary',
  'payload.storyline',
  'payload.ageRatings.0.synopsis',
  'payload.description',
  'text',
]

/** Lists the paths of the fields that take one of these texts. */
const listTakers = (texts: readonly string[]) => [
  ...new Set(
    fields.filter(({ schema }) => texts.some((text) => schema.safeParse(text).success)).map(({ path }) => path),
  ),
]

test('a text that shows nothing is refused wherever a text is shown', () => {
  const texts = [...UNSEEN, ' \u2800\u00a0', UNSEEN.join(''), '\ufe0f\ufe0e\u200d']
  expect(texts.filter(isVisible)).toEqual([])
  expect(listTakers(texts).filter((path) => !NOT_SHOWN.includes(path))).toEqual([])
})

test('a name in which a character shows nothing is refused, a text of several lines is not', () => {
  const texts = UNSEEN.flatMap((sign) => [`long ${sign}name`, `${sign}name`, `name${sign}`])
  expect(texts.filter(isAllVisible)).toEqual([])
  // Spaces around a text are not part of it.
  const takers = listTakers(texts.filter((text) => text === text.trim()))
  expect(takers.filter((path) => !NOT_SHOWN.includes(path))).toEqual(LINES)
})

test('names may hold emoji, whose parts do not show alone', () => {
  expect(EMOJI.filter((emoji) => !isAllVisible(`I ${emoji} it`))).toEqual([])
})

test('a name of a source loses the characters that do not show', () => {
  expect(UNSEEN.map((sign) => withoutUnseen(`a${sign} b`))).toEqual(UNSEEN.map(() => 'a b'))
  expect(UNSEEN.map(withoutUnseen)).toEqual(UNSEEN.map(() => ''))
  expect(EMOJI.map(withoutUnseen)).toEqual(EMOJI)
})
