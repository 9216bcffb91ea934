import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutNullish } from '#lib/base/values/without-nullish'
import { NO_FACTS, type SourceEntry } from '../entries.ts'
import type { RaGame } from './ra-game.ts'

const SITE_URL = 'https://retroachievements.org'
const IMAGES_URL = 'https://media.retroachievements.org'
/** The images that stand in for a missing icon or picture. */
const NO_IMAGE = /^\/Images\/00000[12]\.png$/

const imageUrl = (path: string | null | undefined): string | undefined =>
  path?.startsWith('/') && !NO_IMAGE.test(path) ? `${IMAGES_URL}${path}` : undefined

/** How much of a day is known: a month is given as its first day, a year likewise. */
const DIGITS_OF = new Map([
  ['year', 4],
  ['month', 7],
])

export function toEntry(game: RaGame): SourceEntry<'ra'> {
  const digits = DIGITS_OF.get(game.ReleasedAtGranularity ?? '') ?? 10

  return {
    source: 'ra',
    id: String(game.ID),
    part: {
      gameId: game.ID,
      consoleId: game.ConsoleID,
      ...withoutNullish({
        consoleName: game.ConsoleName,
        imageIcon: imageUrl(game.ImageIcon),
        numAchievements: game.NumAchievements,
      }),
    },
    game: { ...NO_FACTS, name: game.Title, platforms: [game.ConsoleID] },
    characters: [],
    subject: {
      name: game.Title,
      originalName: null,
      alternativeNames: [],
      description: null,
      released: readPartialDate(game.Released?.slice(0, digits))?.text ?? null,
      developers: distinctNames([game.Developer]),
      lengthMinutes: null,
      cover: imageUrl(game.ImageBoxArt) ?? null,
      isExplicitCover: false,
      url: `${SITE_URL}/game/${game.ID}`,
    },
  }
}
