import { conflictsNamespace } from '../lib/contract/conflicts-namespace.ts'
import { defineNamespace } from './define-namespace.ts'

/** Notifications for admins: whoever is in reads every event. */
export const conflicts = defineNamespace(conflictsNamespace, { admits: 'admin', requests: {} })
