/**
 * Names a step at which tests inject a fault: a test passes a function that throws, stalls or kills the process. It does
 * nothing outside tests.
 */
export type Failpoint = (step: string) => Promise<void>

export const noFailpoint: Failpoint = async () => {}
