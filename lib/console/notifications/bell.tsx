import { useEffect, useState } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import { unreadCount as shownCount } from '../frame/page.tsx'
import { hall } from '../hall.ts'
import { useLive } from '../hooks/use-live.ts'
import { Icon } from '../parts/basics.tsx'
import { NotificationsDialog } from './notifications-dialog.tsx'

/** The button that opens the notifications. It shows the number of unread ones, as does the page's title. */
export function Bell() {
  const { live, state } = useLive(() => hall.notifications(), [])
  const { unreadCount } = state
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    shownCount.value = unreadCount
    return () => {
      shownCount.value = 0
    }
  }, [unreadCount])

  return (
    <>
      <button
        type="button"
        class="quiet icon-only bell"
        aria-label={unreadCount > 0 ? `Notifications, ${formatNumber(unreadCount)} unread` : 'Notifications'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" />
        {unreadCount > 0 && <span class="count">{formatNumber(unreadCount)}</span>}
      </button>
      {isOpen && <NotificationsDialog live={live} onClose={() => setOpen(false)} />}
    </>
  )
}
