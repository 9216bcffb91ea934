import { CharacterFields } from '../contract/character-payload.ts'
import { GameFields } from '../contract/game-payload.ts'
import type { CharacterDocument } from '../db/collections/characters.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { toContract } from '../db/to-contract.ts'
import { isEmpty } from '../values/without-empty.ts'

type Values = Record<string, unknown>

function findCompany({ companies }: GameDocument, role: 'developer' | 'publisher') {
  return Array.isArray(companies) ? companies.find((company) => company?.[role] === true)?.name : undefined
}

/** The values of a game for each field that can be proposed, in the form of a payload. */
export const toGameValues = (game: GameDocument): Values => ({
  ...toContract(GameFields, game),
  developer: findCompany(game, 'developer'),
  publisher: findCompany(game, 'publisher'),
  parentGameId: game.relatedGames?.parent_game?.toHexString(),
  igdbId: game.igdb?.gameId,
  vndbId: game.vndb?.vnId,
  hltbId: game.hltb?.hltbId,
})

/** The same for a character. */
export const toCharacterValues = (character: CharacterDocument): Values => toContract(CharacterFields, character)

/** The values for the keys of a payload, null where there is none. */
export function pickValues(payload: Values, values: Values): Values {
  return Object.fromEntries(
    Object.keys(payload).map((key) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined
      return [key, isEmpty(value) ? null : value]
    }),
  )
}
