import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ReviewedRequest } from '../contract/requests.ts'
import { pickValues, toCharacterValues, toGameValues } from './current-values.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { findRequest } from './find-request.ts'
import { type RequestRow, toAdminRequest } from './to-wire.ts'

async function findValues(
  { db }: Pick<RequestsDeps, 'db'>,
  { kind, targetId }: RequestRow,
): Promise<Record<string, unknown>> {
  if (!targetId) return {}
  const [filter, options] = [{ _id: targetId }, { maxTimeMS: MAX_TIME_MS }]
  if (kind === 'game') {
    const game = await db.games.findOne(filter, options)
    return game === null ? {} : toGameValues(game)
  }
  const character = await db.characters.findOne(filter, options)
  return character === null ? {} : toCharacterValues(character)
}

/** Reads a request with the present values of its target for the fields that it proposes. @throws DomainError NOT_FOUND */
export async function readRequest(
  deps: Pick<RequestsDeps, 'db'>,
  { requestId }: { requestId: string },
): Promise<ReviewedRequest> {
  const row = await findRequest(deps, { requestId })
  const [names, values] = await Promise.all([findNames(deps, [row]), findValues(deps, row)])
  return {
    ...toAdminRequest(row, names),
    current: row.action === 'update' ? pickValues(row.payload, values) : null,
  }
}
