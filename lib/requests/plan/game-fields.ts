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
const listOf = <T>(stored: readonly T[] | undefined): readonly T[] => (Array.isArray(stored) ? stored : [])

function withRole(companies: readonly Company[], name: string | undefined, role: Partial<Company>): readonly Company[] {
  if (name === undefined) return companies
  const isNamed = (company: Company) => typeof company?.name === 'string' && normalise(company.name) === normalise(name)
  if (!companies.some(isNamed)) return [...companies, { name, ...role }]
  return companies.map((company) => (isNamed(company) ? { ...company, ...role } : company))
}

function companiesOf(game: GameFacts, { fields, developer, publisher }: Proposal): Pick<GameFields, 'companies'> {
  if (developer === undefined && publisher === undefined) return {}
  const listed = fields.companies ?? listOf(game.companies)
  const developed = withRole(listed, developer, { developer: true })
  return { companies: [...withRole(developed, publisher, { publisher: true })] }
}

function relationsOf(game: GameFacts, { relations }: Proposal): Pick<GameFields, 'relatedGames'> {
  if (Object.keys(relations).length === 0) return {}
  const stored: Relations = game.relatedGames ?? {}
  const { parent_game: _, ...lists } = stored
  const storedLists = new Map<string, readonly ObjectId[] | undefined>(Object.entries(lists))
  const merged = Object.entries(relations).map(([relation, added]) => [
    relation,
    Array.isArray(added) ? distinctIds([...listOf(storedLists.get(relation)), ...added]) : added,
  ])
  return { relatedGames: { ...stored, ...Object.fromEntries(merged) } }
}

function imagesOf(game: GameFacts, { cover, screenshots, artworks }: ProposedImages): GameFields {
  return {
    ...(cover !== null && { cover }),
    ...(screenshots.length > 0 && { screenshots: [...stringsIn(game.screenshots), ...screenshots] }),
    ...(artworks.length > 0 && { artworks: [...stringsIn(game.artworks), ...artworks] }),
  }
}

/** Each game of each console once; what was known of one before stays where it is not known better. */
function achievementsFor(game: GameFacts, added: readonly Achievements[]): Pick<GameFields, 'retroachievements'> {
  if (added.length === 0) return {}
  const byIds = new Map<string, Achievements>()
  for (const each of [...listAchievements(game), ...added]) {
    const ids = `${each.gameId} ${each.consoleId}`
    byIds.set(ids, { ...byIds.get(ids), ...each })
  }
  return { retroachievements: [...byIds.values()] }
}

/**
 * What an approval writes of a game as it is stored, or of a draft: first what its entries say, each as its source may
 * write, then the picked fields of the payload over it.
 */
export function gameFieldsOf(
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
    ...companiesOf(filledIn, proposal),
    ...relationsOf(filledIn, proposal),
    ...imagesOf(filledIn, images),
    ...achievementsFor(game, achievements),
    ...(lockSync && { isStopParsing: true }),
  }
}
