import { GamePayload } from '../../contract/game-payload.ts'
import type { ApprovalContext } from '../approval/approval-context.ts'
import { copyGameImages } from '../approval/copy-game-images.ts'
import type { EntryPlan } from '../approval/entry-plan.ts'
import type { RequestsDeps } from '../deps.ts'
import { chooseGame } from './choose-game.ts'
import { parsePayload } from './parse-payload.ts'
import { readLinks } from './read-links.ts'
import { resolveProposal } from './resolve-proposal.ts'
import { writeGame } from './write-game.ts'

type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'sources' | 'storage' | 'failpoint'>

/**
 * Plans what the approval of a game request writes: finds the game or decides to create one, and reads the sources.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new game that may exist), BAD_GATEWAY
 */
export async function planGame(
  deps: PlanDeps,
  approval: ApprovalContext,
  picked: Readonly<Record<string, unknown>>,
): Promise<EntryPlan> {
  const { locks, choice } = approval
  const payload = parsePayload(GamePayload, picked)
  const { igdbId, vndbId } = payload
  // The next approval that links the same entry waits, and then meets its owner.
  if (igdbId !== undefined) await locks.lockEntry({ source: 'igdb', id: String(igdbId) })
  if (vndbId !== undefined) await locks.lockEntry({ source: 'vndb', id: vndbId })

  const { stored, draft, links, ids } = await chooseGame(deps, approval, payload)
  const game = stored ?? draft
  const gameId = game._id
  const { entries, achievements } = await readLinks(deps, approval, { game, ids })
  const proposal = await resolveProposal(deps, { gameId, payload })

  return {
    async copyImages() {
      const copied = await copyGameImages(deps, approval, { gameId, payload, links: [...links, ...entries] })
      const plan = { gameId, draft, achievements, proposal, lockSync: choice.lockSync, ...copied }
      return (session) => writeGame(deps, plan, session)
    },
  }
}
