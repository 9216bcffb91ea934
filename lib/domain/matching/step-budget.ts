/** Limits the work of a comparison, so that crafted names cannot block the process. */
export interface StepBudget {
  spend(steps: number): void
  readonly spent: number
  /** True when no further work may begin. Running work is finished. */
  readonly isSpent: boolean
}

export function createStepBudget(limit: number): StepBudget {
  let spent = 0
  return {
    spend(steps) {
      spent += steps
    },
    get spent() {
      return spent
    },
    get isSpent() {
      return spent >= limit
    },
  }
}
