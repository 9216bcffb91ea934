import type { SessionUser } from '../auth/session-user.ts'

/** Names the queue in which the changes of one owner's presets wait for each other. */
export const presetsKey = ({ _id }: SessionUser) => `presets ${_id.toHexString()}`
