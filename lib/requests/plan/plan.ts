import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import type { CharacterPlan } from './character-plan.ts'
import type { GamePlan } from './game-plan.ts'
import { planCharacter } from './plan-character.ts'
import { planGame } from './plan-game.ts'
import type { PlanDeps, PlanInput } from './plan-input.ts'

/** What an approval is about to write. Nothing is written or stored yet. */
export type Plan = GamePlan | CharacterPlan

/**
 * Plans what the approval of a request writes: finds its entry or decides to create one, and reads the sources.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY, the signal's reason
 */
export const plan = (
  deps: PlanDeps,
  { kind, ...input }: PlanInput & Pick<ContentRequestDocument, 'kind'>,
): Promise<Plan> => (kind === 'game' ? planGame(deps, input) : planCharacter(deps, input))
