import { conflictsNamespace } from '../lib/contract/conflicts-namespace.ts'
import { defineNamespace } from './define-namespace.ts'

/** Notifications for admins; every socket of the namespace gets every event. */
export const conflicts = defineNamespace(conflictsNamespace, { admits: 'admin', requests: {} })
