import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { normalise, stringsIn } from '../../names/normalise-name.ts'
import { DESCRIPTION, PLATFORM_SIGNALS } from '../weights.ts'

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [shorter, longer] = a.size < b.size ? [a, b] : [b, a]
  return [...shorter].filter((item) => longer.has(item)).length / shorter.size
}

/** Compares two sets; null when either is empty. */
export const compareSets = (a: ReadonlySet<string>, b: ReadonlySet<string>): number | null => {
  if (a.size === 0 || b.size === 0) return null
  const share = overlap(a, b)
  return share === 0
    ? PLATFORM_SIGNALS.none
    : PLATFORM_SIGNALS.least + (PLATFORM_SIGNALS.all - PLATFORM_SIGNALS.least) * share ** 2
}

const MAX_IDS = 100

export const readIds = (list: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(list) ? list.slice(0, MAX_IDS).filter(Boolean).map(String) : [])

export function comparePlatforms(
  wanted: ReadonlySet<string>,
  { platformIds, release_dates }: Pick<GameDocument, 'platformIds' | 'release_dates'>,
) {
  const released = Array.isArray(release_dates) ? release_dates.map((release) => release?.platformId) : []
  const platforms = new Set([...readIds(platformIds), ...readIds(released)])
  return {
    signal: compareSets(wanted, platforms),
    isOnSubjectPlatforms: wanted.size > 0 && [...wanted].every((id) => platforms.has(id)),
    isOnOthers: platforms.size > wanted.size,
  }
}

const MAX_GENRES = 20

export const readGenres = (list: unknown): ReadonlySet<string> => new Set(stringsIn(list, MAX_GENRES).map(normalise))

const COMMON_WORDS = new Set(
  `about after again against also among been before being between both character characters could each ever every
  first from game games gameplay have however including into itself more most much must other over player players play
  playing released series some story such take takes than that their them then there these they this those through
  time under upon used using version very well were what when where which while will with within without world would
  your yours action adventure role developed published features new based must`.split(/\s+/),
)
const MAX_TEXT = 3_000
const WORD = /[\p{L}\p{N}]{4,}/gu

/** Reads the words of a description, without common words. */
export function readDescription(text: unknown): ReadonlySet<string> {
  if (typeof text !== 'string') return new Set()
  const words = text.slice(0, MAX_TEXT).toLowerCase().normalize('NFKC').match(WORD) ?? []
  return new Set(words.filter((word) => !COMMON_WORDS.has(word)))
}

/** Compares the words of two descriptions; null when either is too short. */
export function compareDescriptions(
  subject: ReadonlySet<string>,
  summary: unknown,
  titles: readonly string[],
): number | null {
  if (subject.size < DESCRIPTION.leastToMatch) return null
  const title = new Set(titles.flatMap((text) => text.toLowerCase().normalize('NFKC').match(WORD) ?? []))
  const withoutTitle = (words: ReadonlySet<string>) => new Set([...words].filter((word) => !title.has(word)))
  const [ofSubject, ofGame] = [withoutTitle(subject), withoutTitle(readDescription(summary))]
  const least = Math.min(ofSubject.size, ofGame.size)
  if (least < DESCRIPTION.leastToMatch) return null
  const share = overlap(ofSubject, ofGame)
  if (share >= DESCRIPTION.match) return 1
  if (least < DESCRIPTION.leastToMismatch) return null
  return share <= DESCRIPTION.mismatch ? 0 : 0.5
}
