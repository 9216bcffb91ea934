import { useEffect } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import { unreadCount } from '../frame/page.tsx'
import { hall } from '../hall.ts'
import { useLive } from '../hooks/use-live.ts'
import { Icon } from '../parts/basics.tsx'
import { useLoadedDialog } from '../parts/dialog.tsx'

/** The button that opens the notifications. It shows the number of unread ones, as does the page's title. */
export function Bell() {
  const { live, state } = useLive(() => hall.notifications(), [])
  const { unread } = state
  const { dialog, open } = useLoadedDialog()
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
        aria-label={unread > 0 ? `Notifications, ${formatNumber(unread)} unread` : 'Notifications'}
        aria-haspopup="dialog"
        onClick={() =>
          void open(async () => {
            const { NotificationsDialog } = await import('./notifications-dialog.tsx')
            return (props) => <NotificationsDialog {...props} live={live} />
          })
        }
      >
        <Icon name="bell" />
        {unread > 0 && <span class="count">{formatNumber(unread)}</span>}
      </button>
      {dialog}
    </>
  )
}
