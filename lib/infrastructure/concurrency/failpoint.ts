/**
 * A named step at which tests inject a fault; a no-op outside tests. A test hands in one that throws, stalls or kills the
 * process at its step.
 */
export type Failpoint = (step: string) => Promise<void>

export const noFailpoint: Failpoint = async () => {}
