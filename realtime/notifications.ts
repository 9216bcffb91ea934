import { notificationsNamespace } from '../lib/contract/notifications-namespace.ts'
import { defineNamespace } from './define-namespace.ts'
import { userRoom } from './rooms.ts'
import { readUserId } from './session.ts'

/** What concerns a signed-in user, told to all of his tabs. */
export const notifications = defineNamespace(notificationsNamespace, {
  admits: 'user',
  onConnect: (socket) => {
    void socket.join(userRoom(readUserId(socket)))
  },
  requests: {},
})
