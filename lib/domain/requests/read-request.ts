import { withoutEmpty } from '../../base/values/without-empty.ts'
import { CharacterFields, GameFields } from '../../contract/index.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import { mapImages } from '../../infrastructure/storage/image-fields.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames, findRequest, type RequestRow, toAdminRequest } from './to-wire.ts'

type Values = Record<string, unknown>

function findCompany({ companies }: GameDocument, role: 'developer' | 'publisher') {
  return Array.isArray(companies) ? companies.find((company) => company?.[role] === true)?.name : undefined
}

const toGameValues = (game: GameDocument): Values => ({
  ...toContract(GameFields, game),
  developer: findCompany(game, 'developer'),
  publisher: findCompany(game, 'publisher'),
  parentGameId: game.relatedGames?.parent_game?.toHexString(),
  igdbId: game.igdb?.gameId,
  vndbId: game.vndb?.vnId,
  hltbId: game.hltb?.hltbId,
})

function pickValues(payload: Values, values: Values): Values {
  const shown = new Map(Object.entries(withoutEmpty(values)))
  return Object.fromEntries(Object.keys(payload).map((key) => [key, shown.get(key) ?? null]))
}

async function findValues({ db }: Pick<RequestsDeps, 'db'>, { kind, targetId }: RequestRow): Promise<Values> {
  if (!targetId) return {}
  const filter = { _id: targetId }
  if (kind === 'game') {
    const game = await db.games.findOne(filter)
    return game === null ? {} : toGameValues(game)
  }
  const character = await db.characters.findOne(filter)
  return character === null ? {} : toContract(CharacterFields, character)
}

/** Reads a request with the present values of its target for the fields that it proposes. @throws DomainError NOT_FOUND */
export async function readRequest(deps: Pick<RequestsDeps, 'db' | 'storage'>, { requestId }: { requestId: string }) {
  const row = await findRequest(deps, requestId)
  const [names, values] = await Promise.all([findNames(deps, [row]), findValues(deps, row)])
  return {
    ...toAdminRequest(deps, row, names),
    current: row.action === 'update' ? mapImages(pickValues(row.payload, values), deps.storage.addressOf) : null,
  }
}
