import type { Collection, Document, Filter, ObjectId } from 'mongodb'
import { escapePattern } from '../../base/values/escape-pattern.ts'
import { SEARCH_TOTAL_MAX } from '../../contract/limits.ts'
import { BEST_FIRST, type NameKeys } from '../../infrastructure/db/collections/name-keys.ts'
import { findByIds } from '../../infrastructure/db/find-by-ids.ts'
import { normalise, splitWords } from './normalise-name.ts'

type Named = NameKeys & { _id: ObjectId }
type Names = Filter<Named>

const MAX_WORDS = 10

/** MongoDB turns an anchored pattern of plain characters into the bounds of an index. */
const startsWith = (text: string) => new RegExp(`^${escapePattern(text)}`)

/** Matches names in which every word of the text begins a word. A single letter must be a whole word, except the last. */
function matchWords(searchString: string): Names {
  const words = splitWords(searchString)
  const last = words.at(-1)
  const searched = [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS)

  return {
    $and: searched.map((word) => ({ searchWords: word.length === 1 && word !== last ? word : startsWith(word) })),
  }
}

/** Lists the kinds of matches, best first; the last kind includes all others. */
function listStages(searchString: string): Names[] {
  const key = normalise(searchString)
  return [
    { nameKey: key },
    { nameKey: startsWith(key) },
    { alternativeKeys: key },
    { alternativeKeys: startsWith(key) },
    matchWords(searchString),
  ]
}

/**
 * Finds the entries of a collection whose names match a text, best first: exact name, beginning of the name, the same of the
 * alternative names, words of any. Every step is answered from an index, and their number does not grow with the matches.
 */
export async function searchNames<Row extends { _id: ObjectId }>(
  collection: Pick<Collection<Named>, 'find' | 'countDocuments'>,
  { searchString, take }: { searchString: string; take: number },
  fields: Document,
): Promise<{ rows: Row[]; total: number }> {
  if (normalise(searchString) === '') return { rows: [], total: 0 }
  const total = await collection.countDocuments(matchWords(searchString), { limit: SEARCH_TOTAL_MAX })
  const wanted = Math.min(take, total)
  const found = new Map<string, ObjectId>()

  for (const stage of listStages(searchString)) {
    if (found.size >= wanted) break
    const rows = await collection
      .find<{ _id: ObjectId }>(stage, { projection: { _id: 1 } })
      .sort(BEST_FIRST)
      // Some of them may be results of earlier stages.
      .limit(take)
      .toArray()
    for (const { _id } of rows) found.set(_id.toHexString(), _id)
  }
  return { rows: await findByIds<Row>(collection, [...found.values()].slice(0, take), fields), total }
}
