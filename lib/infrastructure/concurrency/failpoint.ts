/** Names a step at which tests inject a fault: their function throws, stalls or kills the process. It does nothing elsewhere. */
export type Failpoint = (step: string) => Promise<void>

export const noFailpoint: Failpoint = async () => {}
