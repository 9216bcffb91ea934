import { CharacterFields, GameFields } from '../contract/requests.ts'
import type { CharacterDocument } from '../db/collections/characters.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { toContract } from '../db/to-contract.ts'
import { isEmpty } from '../values/without-empty.ts'

type Values = Record<string, unknown>

function companyOf({ companies }: GameDocument, role: 'developer' | 'publisher') {
  return Array.isArray(companies) ? companies.find((company) => company?.[role] === true)?.name : undefined
}

/** What a game has of each field that can be proposed, in the form of a payload. */
export const gameValues = (game: GameDocument): Values => ({
  ...toContract(GameFields, game),
  developer: companyOf(game, 'developer'),
  publisher: companyOf(game, 'publisher'),
  parentGameId: game.relatedGames?.parent_game?.toHexString(),
  igdbId: game.igdb?.gameId,
  vndbId: game.vndb?.vnId,
  hltbId: game.hltb?.hltbId,
})

/** The same of a character. */
export const characterValues = (character: CharacterDocument): Values => toContract(CharacterFields, character)

/** Some values by the keys of a payload; null for what there is not. */
export function valuesOf(payload: Values, values: Values): Values {
  return Object.fromEntries(
    Object.keys(payload).map((key) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined
      return [key, isEmpty(value) ? null : value]
    }),
  )
}
