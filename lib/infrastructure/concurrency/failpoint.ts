/** Names a step at which tests inject a fault: their function throws, stalls or kills the process. In production it does nothing. */
export type Failpoint = (step: string) => Promise<void>

export const noFailpoint: Failpoint = async () => {}
