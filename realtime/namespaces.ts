import { comments } from './comments.ts'
import { conflicts } from './conflicts.ts'
import type { ServedNamespace } from './define-namespace.ts'
import { notifications } from './notifications.ts'
import { royal } from './royal.ts'

/** Every namespace of this service; the server and the AsyncAPI document are made from this list. */
export const namespaces: readonly ServedNamespace[] = [comments, royal, notifications, conflicts]
