import { ObjectId } from 'mongodb'
import { hashedId } from '#lib/base/system/hashed-id'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import { mapByIds } from '#lib/infrastructure/db/find-by-ids'
import type { SourceCharacter } from '#lib/infrastructure/sources/entries'
import { isObjectKey, type Storage } from '#lib/infrastructure/storage/storage'
import { ignoreCase } from '../../names/normalise-name.ts'
import type { CatalogueDeps } from '../deps.ts'
import { type CopyOptions, copySourceImage, type ImageDeps } from '../entries/copy-source-image.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { NewCharacter } from './insert-characters.ts'
import { matchSourceCharacters } from './match-source-characters.ts'

/** A new character, with the source's game ids that matching uses and no write stores. */
export type Newcomer = NewCharacter & Pick<SourceCharacter, 'games'> & { _id: ObjectId }

export type PreparedCharacters = Awaited<ReturnType<typeof copyMugShots>>

const CONCURRENCY = 4

/** Derives the id of a character from its name, so that a repetition after a kill finds the character again. */
const buildCharacterId = (gameId: ObjectId, name: string) =>
  new ObjectId(hashedId(`character ${gameId.toHexString()} ${ignoreCase(name)}`))

const distinctByName = (characters: readonly SourceCharacter[]): SourceCharacter[] => [
  ...new Map(
    characters.filter(({ name }) => name !== '').map((character) => [ignoreCase(character.name), character]),
  ).values(),
]

/**
 * Finds out which characters of an entry the catalogue lacks, and copies their mug shots into the storage.
 * @throws StorageError, or the signal's reason
 */
export async function copyMugShots(
  deps: Pick<CatalogueDeps, 'db'> & ImageDeps,
  {
    gameId,
    resolved: { fields, characters: listed },
    ...options
  }: CopyOptions & { gameId: ObjectId; resolved: ResolvedEntry },
) {
  const characters = distinctByName(listed)
  const matched = await matchSourceCharacters(deps, { gameId, fields, characters })
  const unmatched = characters.filter(({ name }) => !matched.has(name))

  const copied = await mapLimited(unmatched, CONCURRENCY, async ({ mugShot: link, ...facts }) => {
    const newcomer = { ...facts, _id: buildCharacterId(gameId, facts.name), gameIds: [gameId] }
    if (link === undefined) return { newcomer }
    const mugShot = await copySourceImage(deps, { link, folder: 'characters', entityId: newcomer._id, ...options })
    return mugShot === null ? { newcomer, failed: link } : { newcomer: { ...newcomer, mugShot } }
  })
  return {
    fields,
    matched,
    newcomers: copied.map(({ newcomer }): Newcomer => newcomer),
    failedImages: copied.flatMap(({ failed }) => failed ?? []),
  }
}

type DeleteDeps = Pick<CatalogueDeps, 'db'> & { storage: Pick<Storage, 'delete'> }

/** Deletes mug shots of characters that another process has created. A character that is stored with the id keeps them. */
export async function deleteUnusedMugShots({ db, storage }: DeleteDeps, superseded: readonly Newcomer[]) {
  const ids = superseded.map(({ _id }) => _id)
  const stored = await mapByIds(db.characters, ids, { _id: 1 })
  const unused = superseded
    .filter(({ _id }) => !stored.has(_id.toHexString()))
    .flatMap(({ mugShot }) => mugShot ?? [])
    .filter(isObjectKey)
  if (unused.length > 0) await storage.delete(unused)
}
