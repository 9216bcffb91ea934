import type { ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { distinctIds } from '#lib/base/values/distinct-ids'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { type GameFieldsMerged, MESSAGES } from '#lib/contract/index'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { SourceParts } from '#lib/infrastructure/sources/entries'
import { buildCharacterKeys, insertCharacters } from '../../catalogue/characters/insert-characters.ts'
import { writeSourceCharacters } from '../../catalogue/characters/write-source-characters.ts'
import { changeGame, type GameFields } from '../../catalogue/games/change-game.ts'
import { listImages } from '../../catalogue/games/copy-entry-images.ts'
import { entryChanges, type GameFacts } from '../../catalogue/games/entry-changes.ts'
import { insertGame } from '../../catalogue/games/insert-game.ts'
import { findLinkedGame, isExclusive, isLinkable, listAchievements } from '../../catalogue/games/linked-ids.ts'
import { normalise, stringsIn } from '../../names/normalise-name.ts'
import type { CharacterEntry, GameEntry } from '../copy/copy.ts'
import type { RequestsDeps } from '../deps.ts'
import { fromVndb, ownedBy } from '../link-warnings.ts'

/** @throws DomainError NOT_FOUND when the character is gone */
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

type Company = NonNullable<GameDocument['companies']>[number]
type Relations = NonNullable<GameDocument['relatedGames']>

/** Reads a stored list, which another program may have stored as null. */
const asList = <T>(stored: readonly T[] | undefined): readonly T[] => (Array.isArray(stored) ? stored : [])

function withRole(companies: readonly Company[], name: string, role: Partial<Company>): Company[] {
  const isNamed = (company: Company) => typeof company?.name === 'string' && normalise(company.name) === normalise(name)
  if (!companies.some(isNamed)) return [...companies, { name, ...role }]
  return companies.map((company) => (isNamed(company) ? { ...company, ...role } : company))
}

const mergeCompany = (game: GameFacts, name: string | undefined, role: Partial<Company>): GameFields =>
  name === undefined ? {} : { companies: withRole(asList(game.companies), name, role) }

function mergeRelations(game: GameFacts, { relations }: GameEntry['proposal']): Pick<GameFields, 'relatedGames'> {
  if (Object.keys(relations).length === 0) return {}
  const stored: Relations = game.relatedGames ?? {}
  const { parent_game: _, ...lists } = stored
  const storedLists = new Map<string, readonly ObjectId[] | undefined>(Object.entries(lists))
  const merged = Object.entries(relations).map(([relation, added]) => [
    relation,
    Array.isArray(added) ? distinctIds([...asList(storedLists.get(relation)), ...added]) : added,
  ])
  return { relatedGames: { ...stored, ...Object.fromEntries(merged) } }
}

const append = (stored: unknown, added: readonly string[] | undefined) => added && [...stringsIn(stored), ...added]

type Merge = (game: GameFacts, plan: GameEntry) => GameFields

/** Merges each field into a stored game. Achievement sets are missing, because they are written with the other entries. */
const MERGES: Record<Exclude<GameFieldsMerged<'add' | 'image'>, 'retroachievements'>, Merge> = {
  developer: (game, { proposal }) => mergeCompany(game, proposal.developer, { developer: true }),
  publisher: (game, { proposal }) => mergeCompany(game, proposal.publisher, { publisher: true }),
  relatedGames: (game, { proposal }) => mergeRelations(game, proposal),
  cover: (_, { images: { cover } }) => withoutEmpty({ cover }),
  screenshots: ({ screenshots }, { images }) => withoutEmpty({ screenshots: append(screenshots, images.screenshots) }),
  artworks: ({ artworks }, { images }) => withoutEmpty({ artworks: append(artworks, images.artworks) }),
}

/** Lists the fields that people wrote, which a parse in the background leaves. */
const listCurated = ({ proposal: { fields, developer, publisher, relations }, images }: GameEntry): string[] => [
  ...Object.keys(fields),
  ...(developer === undefined && publisher === undefined ? [] : ['companies']),
  ...Object.keys(relations).map((relation) => `relatedGames.${relation}`),
  ...Object.keys(images),
]

/** Adds an achievement set, or completes the one that the game has for this console. */
function addSet(game: GameFacts, added: SourceParts['ra']): GameFields {
  const stored = listAchievements(game)
  const isSame = (set: SourceParts['ra']) => set.gameId === added.gameId && set.consoleId === added.consoleId
  const completed = stored.map((set) => (isSame(set) ? { ...set, ...added } : set))
  return { retroachievements: stored.some(isSame) ? completed : [...stored, added] }
}

/**
 * Computes the fields that an approval writes to a stored game or a draft. Each entry gives what its source may write; the
 * picked fields of the payload replace those of the entries.
 */
function toGameFields(game: GameFacts, plan: GameEntry): GameFields {
  let fields: GameFields = {}
  for (const { resolved, writes } of plan.entries) {
    const now = { ...game, ...fields }
    const changes = resolved.source === 'ra' ? addSet(now, resolved.part) : entryChanges(now, resolved, writes)
    fields = { ...fields, ...changes }
  }
  fields = { ...fields, ...plan.proposal.fields }
  for (const merge of Object.values(MERGES)) fields = { ...fields, ...merge({ ...game, ...fields }, plan) }
  const curatedFields = [...new Set([...asList(game.curatedFields), ...listCurated(plan)])]
  return {
    ...fields,
    ...(curatedFields.length > 0 && { curatedFields }),
    ...(plan.lockSync && { isStopParsing: true }),
  }
}

export interface WrittenEntry {
  resultId: ObjectId
  images: readonly string[]
  replacedImages: readonly string[]
}

type WriteDeps = Pick<RequestsDeps, 'db' | 'clock'>

/**
 * Refuses entries that got an owner since the sources were read, because the unique index would end the transaction. An owner
 * that comes during the transaction makes the transaction begin again.
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
