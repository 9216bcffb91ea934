import { GamePayload } from '../../contract/game-payload.ts'
import { chooseGame } from './choose-game.ts'
import type { GamePlan } from './game-plan.ts'
import { parsePayload } from './parse-payload.ts'
import type { PlanDeps, PlanInput } from './plan-input.ts'
import { readLinks } from './read-links.ts'
import { resolveProposal } from './resolve-proposal.ts'

/**
 * Plans what the approval of a game request writes: finds the game or decides to create one, and reads the sources.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new game that may exist), BAD_GATEWAY
 */
export async function planGame(deps: PlanDeps, { payload: picked, lockSync, ...input }: PlanInput): Promise<GamePlan> {
  const payload = parsePayload(GamePayload, picked)
  const planning = { ...input, warnings: [] }
  const { stored, draft, newEntry, links, ids } = await chooseGame(deps, planning, payload)
  const game = stored ?? draft
  const { entries, achievements } = await readLinks(deps, planning, { game, ids })
  return {
    kind: 'game',
    gameId: game._id,
    draft,
    newEntry,
    entries: [...links, ...entries],
    achievements,
    proposal: await resolveProposal(deps, { gameId: game._id, payload }),
    imageLinks: payload,
    lockSync,
    warnings: planning.warnings,
  }
}
