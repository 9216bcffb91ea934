import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
}

/** Says that a list is empty, and what can be done about it. */
export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty stack tight">
    {icon && <Icon name={icon} />}
    <strong>{title}</strong>
    {children && <div>{children}</div>}
  </div>
)
