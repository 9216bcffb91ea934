import type { ClientSession } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { distinctIds } from '#lib/base/values/distinct-ids'
import { MESSAGES } from '#lib/contract/messages'
import { buildCharacterKeys, insertCharacters } from '../../catalogue/characters/insert-characters.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import type { RequestsDeps } from '../deps.ts'
import type { CharacterEntry } from '../plan-types.ts'
import type { WrittenEntry } from './write-game.ts'

/**
 * Inserts the new character, or changes the stored one, in a transaction.
 * @throws DomainError NOT_FOUND when the character is gone
 */
export async function writeCharacter(
  deps: Pick<RequestsDeps, 'db' | 'clock'>,
  { _id, newEntry, fields }: CharacterEntry,
  session: ClientSession,
): Promise<WrittenEntry> {
  const { characters } = deps.db
  if (newEntry !== null) {
    await insertCharacters(deps, [{ ...fields, _id, name: newEntry.fields.name }], { session })
    return { resultId: _id, images: stringsIn([fields.mugShot]), replacedImages: [] }
  }
  const stored = await characters.findOne({ _id }, { session })
  if (stored === null) throw new DomainError('NOT_FOUND', MESSAGES.characterGone)

  // A concurrent change aborts the transaction, which then begins again.
  const { gameIds, ...replaced } = fields
  const changed = { ...stored, ...replaced }
  await characters.updateOne(
    { _id },
    {
      $set: {
        ...replaced,
        ...buildCharacterKeys(changed),
        ...(gameIds && { gameIds: distinctIds([...(stored.gameIds ?? []), ...gameIds]) }),
      },
      $currentDate: { updatedAt: true },
    },
    { session },
  )
  return {
    resultId: _id,
    images: stringsIn([changed.mugShot]),
    replacedImages: stringsIn([stored.mugShot]).filter((image) => image !== changed.mugShot),
  }
}
