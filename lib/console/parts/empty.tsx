import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export const Empty = ({ icon, title, children }: { icon?: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty stack tight">
    {icon && <Icon name={icon} />}
    <strong>{title}</strong>
    {children && <div>{children}</div>}
  </div>
)
