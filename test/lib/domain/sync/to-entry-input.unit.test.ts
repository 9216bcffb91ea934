import { expect, test } from 'vitest'
import { Entry } from '#lib/contract/entries'
import { toEntryInput } from '#lib/domain/sync/to-entry-input'
import { EntryError } from '#lib/infrastructure/sources/transport/errors'
import { readVndbEntry } from '#lib/infrastructure/sources/vndb/vndb'

const read = (facts: object) => {
  const entry = readVndbEntry({ id: 'v17', title: 'Quiet Harbour', ...facts })
  if (entry instanceof EntryError) throw entry
  return Entry.safeParse(toEntryInput(entry))
}

test.each([
  ['a cover with a space in its address', { image: { url: 'https://images.example/a b.jpg' } }],
  ['an endless address', { image: { url: `https://images.example/${'a'.repeat(3_000)}` } }],
  ['a length in parts of a minute', { length_minutes: 1.5 }],
  ['an endless alias', { aliases: ['a'.repeat(501)] }],
])('%s is left out, and the entry is taken', (_what, facts) => {
  const { data, error } = read({ ...facts, developers: [{ name: 'North Pier' }] })
  expect(error).toBeUndefined()
  const { cover, lengthMinutes, alternativeNames, developers } = data ?? {}
  expect([cover, lengthMinutes, alternativeNames, developers]).toEqual([undefined, undefined, [], ['North Pier']])
})
