/**
 * Announces a named step of a multi-step walk; outside tests it does nothing. A test hands in one that throws, stalls or
 * kills the process at the step it is about.
 */
export type Probe = (step: string) => Promise<void>

export const noProbe: Probe = async () => {}
