import { listIn } from '../../infrastructure/db/expressions.ts'

const others = { $filter: { input: listIn('$roles'), cond: { $not: [{ $in: ['$$this', ['user', 'admin']] }] } } }
/** The stored roles with that of admins, for updates by a pipeline. */
export const GRANTED_ROLES = { $concatArrays: [['user', 'admin'], others] }
export const REVOKED_ROLES = { $filter: { input: listIn('$roles'), cond: { $ne: ['$$this', 'admin'] } } }
