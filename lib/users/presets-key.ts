import type { SessionUser } from '../auth/find-session-user.ts'

/** The queue in which the changes of one owner's presets wait for each other. */
export const presetsKey = ({ _id }: SessionUser) => `presets ${_id.toHexString()}`
