import type { ObjectId } from 'mongodb'
import { distinctIds } from '#lib/base/values/distinct-ids'
import type { GameFieldsMerged } from '#lib/contract/proposals/game-fields'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { GameFields } from '../../catalogue/games/change-game.ts'
import { entryChanges, type GameFacts } from '../../catalogue/games/entry-changes.ts'
import { listAchievements } from '../../catalogue/games/linked-ids.ts'
import { normalise, stringsIn } from '../../names/normalise-name.ts'
import type { Achievements, GameEntry, Proposal } from '../plan-types.ts'

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

function mergeRelations(game: GameFacts, { relations }: Proposal): Pick<GameFields, 'relatedGames'> {
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

/** Merges achievement sets by game and console. Stored fields stay unless an added set replaces them. */
function mergeAchievements(game: GameFacts, added: readonly Achievements[]): Pick<GameFields, 'retroachievements'> {
  if (added.length === 0) return {}
  const byIds = new Map<string, Achievements>()
  for (const each of [...listAchievements(game), ...added]) {
    const ids = `${each.gameId} ${each.consoleId}`
    byIds.set(ids, { ...byIds.get(ids), ...each })
  }
  return { retroachievements: [...byIds.values()] }
}

type Merge = (game: GameFacts, plan: GameEntry) => GameFields

const MERGES: Record<GameFieldsMerged<'add' | 'image'>, Merge> = {
  developer: (game, { proposal }) => mergeCompany(game, proposal.developer, { developer: true }),
  publisher: (game, { proposal }) => mergeCompany(game, proposal.publisher, { publisher: true }),
  relatedGames: (game, { proposal }) => mergeRelations(game, proposal),
  cover: (_, { images: { cover } }) => (cover === null ? {} : { cover }),
  screenshots: ({ screenshots }, { images: { screenshots: added } }) =>
    added.length === 0 ? {} : { screenshots: [...stringsIn(screenshots), ...added] },
  artworks: ({ artworks }, { images: { artworks: added } }) =>
    added.length === 0 ? {} : { artworks: [...stringsIn(artworks), ...added] },
  retroachievements: (game, { achievements }) => mergeAchievements(game, achievements),
}

/**
 * The fields that an approval writes of a stored game or of a draft: first those of its entries, each as far as its source
 * may write, then the picked fields of the payload over them.
 */
export function toGameFields(game: GameFacts, plan: GameEntry): GameFields {
  let fields: GameFields = {}
  for (const { resolved, writes } of plan.entries) {
    fields = { ...fields, ...entryChanges({ ...game, ...fields }, resolved, writes) }
  }
  fields = { ...fields, ...plan.proposal.fields }
  for (const merge of Object.values(MERGES)) fields = { ...fields, ...merge({ ...game, ...fields }, plan) }
  return { ...fields, ...(plan.lockSync && { isStopParsing: true }) }
}
