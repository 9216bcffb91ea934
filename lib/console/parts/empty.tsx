import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
}

/** Says that there is nothing, and what could be done about it. */
export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty">
    {icon && <Icon name={icon} />}
    <p class="empty-title">{title}</p>
    {children && <div>{children}</div>}
  </div>
)
