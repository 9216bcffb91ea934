import type { ComponentProps } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type Attributes = Omit<ComponentProps<'button'>, 'children' | 'ref' | 'icon' | 'label'>

export const Button = ({ text, ...rest }: Attributes & { text: string }) => (
  <button type="button" {...rest}>
    {text}
  </button>
)

export const IconButton = ({ icon, label, ...rest }: Attributes & { icon: IconName; label: string }) => (
  <button type="button" class="quiet icon-only" aria-label={label} {...rest}>
    <Icon name={icon} />
  </button>
)
