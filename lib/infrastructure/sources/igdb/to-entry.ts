import { distinctNames } from '#lib/base/values/distinct-names'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { type SourceCharacter, type SourceEntry, toSubject } from '../entries.ts'
import type { EntryError } from '../transport/errors.ts'
import { readEntry } from '../transport/parse-answer.ts'
import { type IgdbCharacter, IgdbGame, SCORES } from './igdb-game.ts'
import { isDate, toGame, toLink, toReleased } from './to-game.ts'

interface EntryParts {
  game: IgdbGame
  characters: readonly IgdbCharacter[]
  /** Without a trailing slash. */
  imagesUrl: string
}

const toCharacter = (row: IgdbCharacter, gameId: number, imageUrl: (image: string) => string): SourceCharacter => ({
  name: row.name,
  ...withoutEmpty({
    akas: distinctNames(row.akas, [row.name]),
    gender: row.character_gender?.trim(),
    species: row.character_species?.trim(),
    countryName: row.country_name?.trim(),
    description: row.description?.trim(),
    mugShot: row.mug_shot && imageUrl(row.mug_shot),
    games: [...new Set(row.games)].filter((id) => id !== gameId),
  }),
})

export function toEntry({ game, characters, imagesUrl }: EntryParts): SourceEntry<'igdb'> {
  const imageUrl = (image: string) => `${imagesUrl}/t_1080p/${image}.jpg`
  const entry = toGame(game, imageUrl)
  const updatedAt = isDate(game.updated_at) ? new Date(game.updated_at * 1_000) : undefined
  const scores = Object.fromEntries(SCORES.map((score) => [score, game[score]]))
  const original = game.alternative_names.find(({ comment }) => /\boriginal\b/i.test(comment ?? ''))

  return {
    source: 'igdb',
    id: String(game.id),
    part: { gameId: game.id, ...withoutEmpty({ url: toLink(game.url), ...scores, updatedAt }) },
    game: entry,
    characters: characters.map((row) => toCharacter(row, game.id, imageUrl)),
    subject: toSubject(entry, {
      originalName: original?.name?.trim() || null,
      released: toReleased(game),
      url: toLink(game.url) ?? null,
    }),
  }
}

/** Reads an entry in the form of the source, without its characters. */
export const readIgdbEntry = (
  sent: unknown,
  imagesUrl = 'https://images.igdb.com/igdb/image/upload',
): SourceEntry<'igdb'> | EntryError =>
  readEntry('igdb', IgdbGame, sent, (game) => toEntry({ game, characters: [], imagesUrl }))
