import { GamePayload } from '../../contract/requests.ts'
import { announceGame } from '../approval/announce-game.ts'
import type { Approval, PlannedWrite } from '../approval/approval-context.ts'
import { copyGameImages } from '../approval/copy-game-images.ts'
import type { RequestsDeps } from '../deps.ts'
import { parsePayload } from '../parse-payload.ts'
import { chooseGame } from './choose-game.ts'
import type { GamePlan } from './game-plan.ts'
import { readLinks } from './read-links.ts'
import { resolveProposal } from './resolve-proposal.ts'
import { writeGame } from './write-game.ts'

type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'config' | 'log' | 'indexNow' | 'sources' | 'storage'>

/** An approval that would link the same entry waits, and then meets its owner. */
async function holdEntries({ holdEntry }: Approval, { igdbId, vndbId }: GamePayload): Promise<void> {
  if (igdbId !== undefined) await holdEntry({ source: 'igdb', id: String(igdbId) })
  if (vndbId !== undefined) await holdEntry({ source: 'vndb', id: vndbId })
}

/**
 * Plans what the approval of a game request writes: finds the game or decides to make one, reads the sources and copies
 * the images. Nothing of the catalogue is written before `write`.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new game that may exist), BAD_GATEWAY; StorageError
 */
export async function planGame(deps: PlanDeps, approval: Approval): Promise<PlannedWrite> {
  const payload = parsePayload(GamePayload, approval.payload)
  await holdEntries(approval, payload)
  const { stored, draft, links, ids } = await chooseGame(deps, approval, payload)
  const game = stored ?? draft
  const gameId = game._id
  const { entries: further, achievements } = await readLinks(deps, approval, { game, ids })
  const proposal = await resolveProposal(deps, { gameId, payload })
  const wanted = { gameId, payload, links: [...links, ...further] }
  const copied = await copyGameImages(deps, approval, wanted)
  const plan: GamePlan = { gameId, draft, achievements, proposal, lockSync: approval.lockSync, ...copied }

  return {
    write: (session) => writeGame(deps, plan, session),
    ...(draft?.isCustom && { afterwards: ({ resultId }) => void announceGame(deps, resultId) }),
  }
}
