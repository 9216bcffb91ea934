import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { entryChanges } from '#lib/domain/catalogue/games/entry-changes'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { igdbEntry } from '../../../../support/rows/entries.ts'

const gameOf = (facts: Partial<GameDocument> = {}): GameDocument => ({
  _id: new ObjectId(),
  name: 'Old Name',
  slug: 'old-name',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...facts,
})

/** Makes a game as another program may have stored it. */
const oddGame = (facts: Record<string, unknown>): GameDocument =>
  // The values under test are outside the type.
  ({ ...gameOf(), ...facts }) as GameDocument

const FIELDS = { name: 'New Name', summary: 'New', genres: ['Puzzle'], first_release: 0, companies: [{ name: 'New' }] }

it('IGDB never clears a field', () => {
  const fields = { summary: '', genres: [], relatedGames: {} }

  expect(entryChanges(gameOf({ summary: 'Old' }), igdbEntry(5, { fields }))).toEqual({
    name: 'Lantern Keep',
    igdb: { gameId: 5, total_rating_count: 40, hypes: 2 },
  })
})

it('IGDB fills only the empty fields of a game that was made by hand', () => {
  const game = oddGame({
    isCustom: true,
    summary: 'Old',
    genres: null,
    storyline: '',
    companies: [],
    first_release: 0,
    themes: ['Old'],
  })
  const fields = {
    ...FIELDS,
    storyline: 'New',
    themes: ['New'],
    multiplayer_modes: [{ dropIn: true }],
    first_release: 9,
  }

  expect(entryChanges(game, igdbEntry(5, { fields }))).toEqual({
    genres: ['Puzzle'],
    storyline: 'New',
    companies: [{ name: 'New' }],
    multiplayer_modes: [{ dropIn: true }],
    igdb: { gameId: 5, total_rating_count: 40, hypes: 2 },
  })
})

it('IGDB replaces its relations and keeps the others, and no game is related to itself', () => {
  const [sequel, old, port, dlc] = [new ObjectId(), new ObjectId(), new ObjectId(), new ObjectId()]
  const game = gameOf({ relatedGames: { sequels: [sequel], ports: [old] } })
  const relatedGames = { parent_game: game._id, ports: [port, game._id], dlcs: [dlc], forks: [game._id] }
  const written = (facts: Partial<GameDocument>) =>
    entryChanges({ ...game, ...facts }, igdbEntry(5, { fields: { relatedGames } })).relatedGames

  expect(written({})).toEqual({ sequels: [sequel], ports: [port], dlcs: [dlc] })
  expect(written({ isCustom: true })).toEqual({ sequels: [sequel], ports: [old], dlcs: [dlc] })
  expect(written(oddGame({ ...game, relatedGames: null }))).toEqual({ ports: [port], dlcs: [dlc] })
})
