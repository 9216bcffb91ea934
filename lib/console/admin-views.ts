import { ConflictView } from './views/conflict.tsx'
import { ConflictsView } from './views/conflicts.tsx'
import { LogView } from './views/log.tsx'
import { ReportsView } from './views/reports.tsx'
import { RequestView } from './views/request.tsx'
import { RequestsView } from './views/requests.tsx'

/** One script for all of them: whoever opens one opens the others. */
export const ADMIN_VIEWS = { ConflictsView, ConflictView, RequestsView, RequestView, ReportsView, LogView }
