import type { ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { writeSourceCharacters } from '../../catalogue/characters/write-source-characters.ts'
import { changeGame } from '../../catalogue/games/change-game.ts'
import { listImages } from '../../catalogue/games/copy-entry-images.ts'
import { insertGame } from '../../catalogue/games/insert-game.ts'
import { findLinkedGame, isExclusive, isLinkable } from '../../catalogue/games/linked-ids.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import type { RequestsDeps } from '../deps.ts'
import { fromVndb, ownedBy } from '../link-warnings.ts'
import type { GameEntry } from '../plan-types.ts'
import { toGameFields } from './game-fields.ts'

export interface WrittenEntry {
  resultId: ObjectId
  images: readonly string[]
  /** Images that the write removed from the entry. */
  replacedImages: readonly string[]
}

type WriteDeps = Pick<RequestsDeps, 'db' | 'clock'>

/**
 * An entry that was free when the sources were read may have an owner now, and the unique index would end the transaction.
 * An owner that comes during the transaction makes it fail as a transient one, and it begins again.
 */
async function assertLinkable(deps: WriteDeps, { gameId, entries }: GameEntry, session: ClientSession): Promise<void> {
  for (const { resolved } of entries) {
    if (!isExclusive(resolved.source)) continue
    const owner = await findLinkedGame(deps, { source: resolved.source, id: resolved.id, session })
    if (owner !== null && !owner._id.equals(gameId)) throw new DomainError('CONFLICT', ownedBy(resolved, owner))
  }
}

async function changeStored(deps: WriteDeps, entry: GameEntry, session: ClientSession) {
  let before: string[] = []
  const game = await changeGame(
    deps,
    entry.gameId,
    (stored) => {
      const refused = entry.entries.find(({ resolved }) => !isLinkable(stored, resolved.source))
      if (refused !== undefined) throw new DomainError('CONFLICT', fromVndb(refused.resolved))
      before = listImages(stored)
      const $set = toGameFields(stored, entry)
      return Object.keys($set).length === 0 ? null : { $set }
    },
    { session },
  )
  if (game === null) throw new DomainError('NOT_FOUND', MESSAGES.gameGone)
  return { game, before }
}

/**
 * Writes a game in a transaction: inserts the new game or changes the one of the catalogue as it is stored now,
 * and with it the characters of its IGDB entry.
 * @throws DomainError NOT_FOUND when the game is gone, CONFLICT when an entry got another owner meanwhile
 */
export async function writeGame(deps: WriteDeps, entry: GameEntry, session: ClientSession): Promise<WrittenEntry> {
  const { gameId, draft, characters: prepared } = entry
  await assertLinkable(deps, entry, session)
  const { game, before } =
    draft === null
      ? await changeStored(deps, entry, session)
      : { game: await insertGame(deps, { ...draft, ...toGameFields(draft, entry) }, { session }), before: [] }
  const newcomers = prepared === null ? [] : (await writeSourceCharacters(deps, { gameId, prepared, session })).created

  const images = listImages(game)
  return {
    resultId: gameId,
    images: [...images, ...stringsIn(newcomers.map(({ mugShot }) => mugShot))],
    replacedImages: before.filter((image) => !images.includes(image)),
  }
}
