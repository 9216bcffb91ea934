import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
}

export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty stack tight">
    {icon && <Icon name={icon} />}
    <strong>{title}</strong>
    {children && <div>{children}</div>}
  </div>
)
