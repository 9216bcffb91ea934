import { conflictsNamespace } from '../lib/contract/namespaces/conflicts.ts'
import { notificationsNamespace } from '../lib/contract/namespaces/notifications.ts'
import { comments } from './comments.ts'
import { ADMINS_ROOM, defineNamespace, type ServedNamespace, userRoom } from './define-namespace.ts'
import { royal } from './royal.ts'

export const namespaces: readonly ServedNamespace[] = [
  comments,
  royal,
  defineNamespace(notificationsNamespace, {
    admits: 'user',
    requests: {},
    roomsOf: ({ userId, isAdmin }, { types }) => [
      userRoom(userId, types === 'all' ? types : undefined),
      ...(isAdmin ? [ADMINS_ROOM] : []),
    ],
  }),
  defineNamespace(conflictsNamespace, { admits: 'admin', requests: {} }),
]
