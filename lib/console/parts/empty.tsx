import type { ComponentChildren } from 'preact'
import { setQuery } from '../route.ts'
import { Button } from './button.tsx'
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

/** Says that no row matches, with a button that removes the filters from the address. */
export const NothingFits = ({ filters }: { filters: readonly string[] }) => (
  <Empty icon="document" title="Nothing fits these filters.">
    <Button
      onClick={() => setQuery(Object.fromEntries(['page', ...filters].map((name) => [name, undefined])))}
      text="Show all"
    />
  </Empty>
)
