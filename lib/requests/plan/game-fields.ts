import type { ObjectId } from 'mongodb'
import type { GameDocument } from '../../db/collections/games.ts'
import type { GameFields } from '../../games/change-game.ts'
import { entryChanges, type GameFacts } from '../../games/entry-changes.ts'
import { listAchievements } from '../../games/linked-ids.ts'
import { normalise, stringsIn } from '../../names/normalise-name.ts'
import { distinctIds } from '../../values/distinct-ids.ts'
import type { Achievements, GamePlan, Proposal, ProposedImages } from './game-plan.ts'

type Company = NonNullable<GameDocument['companies']>[number]
type Relations = NonNullable<GameDocument['relatedGames']>

/** An older release may have stored null. */
const asList = <T>(stored: readonly T[] | undefined): readonly T[] => (Array.isArray(stored) ? stored : [])

function withRole(companies: readonly Company[], name: string | undefined, role: Partial<Company>): readonly Company[] {
  if (name === undefined) return companies
  const isNamed = (company: Company) => typeof company?.name === 'string' && normalise(company.name) === normalise(name)
  if (!companies.some(isNamed)) return [...companies, { name, ...role }]
  return companies.map((company) => (isNamed(company) ? { ...company, ...role } : company))
}

function mergeCompanies(game: GameFacts, { fields, developer, publisher }: Proposal): Pick<GameFields, 'companies'> {
  if (developer === undefined && publisher === undefined) return {}
  const listed = fields.companies ?? asList(game.companies)
  const developed = withRole(listed, developer, { developer: true })
  return { companies: [...withRole(developed, publisher, { publisher: true })] }
}

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

function mergeImages(game: GameFacts, { cover, screenshots, artworks }: ProposedImages): GameFields {
  return {
    ...(cover !== null && { cover }),
    ...(screenshots.length > 0 && { screenshots: [...stringsIn(game.screenshots), ...screenshots] }),
    ...(artworks.length > 0 && { artworks: [...stringsIn(game.artworks), ...artworks] }),
  }
}

/** Each game of each console once; its stored fields stay where the added ones do not replace them. */
function mergeAchievements(game: GameFacts, added: readonly Achievements[]): Pick<GameFields, 'retroachievements'> {
  if (added.length === 0) return {}
  const byIds = new Map<string, Achievements>()
  for (const each of [...listAchievements(game), ...added]) {
    const ids = `${each.gameId} ${each.consoleId}`
    byIds.set(ids, { ...byIds.get(ids), ...each })
  }
  return { retroachievements: [...byIds.values()] }
}

/**
 * The fields that an approval writes of a stored game or of a draft: first those of its entries, each as far as its source
 * may write, then the picked fields of the payload over them.
 */
export function toGameFields(
  game: GameFacts,
  { entries, achievements, proposal, images, lockSync }: GamePlan,
): GameFields {
  let fields: GameFields = {}
  for (const { resolved, writes } of entries) {
    fields = { ...fields, ...entryChanges({ ...game, ...fields }, resolved, writes) }
  }
  const filledIn = { ...game, ...fields }
  return {
    ...fields,
    ...proposal.fields,
    ...mergeCompanies(filledIn, proposal),
    ...mergeRelations(filledIn, proposal),
    ...mergeImages(filledIn, images),
    ...mergeAchievements(game, achievements),
    ...(lockSync && { isStopParsing: true }),
  }
}
