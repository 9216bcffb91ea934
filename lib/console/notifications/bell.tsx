import { useEffect, useState } from 'preact/hooks'
import { hall } from '../hall.ts'
import { useLive } from '../hooks/use-live.ts'
import { unreadCount } from '../page-title.ts'
import { Icon } from '../parts/icon.tsx'
import { NotificationsDialog } from './notifications-dialog.tsx'

/** The button that opens the notifications. It shows the number of unread ones, as does the page's title. */
export function Bell() {
  const { live, state } = useLive(() => hall.notifications(), [])
  const { unread } = state
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    unreadCount.value = unread
    return () => {
      unreadCount.value = 0
    }
  }, [unread])

  return (
    <>
      <button
        type="button"
        class="quiet icon-only bell"
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" />
        {unread > 0 && <span class="count">{unread}</span>}
      </button>
      {isOpen && <NotificationsDialog live={live} onClose={() => setOpen(false)} />}
    </>
  )
}
