/** The budget for the names of one game: twice the dearest labelled pair. */
export const MAX_STEPS_PER_GAME = 7_000

export type StepBudget = ReturnType<typeof createStepBudget>

/** Limits the work of a comparison, so that crafted names cannot block the process. */
export function createStepBudget(limit: number) {
  let spent = 0
  return {
    spend(steps: number): void {
      spent += steps
    },
    get spent(): number {
      return spent
    },
    /** True when no further work may begin. Running work is finished. */
    get isSpent(): boolean {
      return spent >= limit
    },
  }
}
