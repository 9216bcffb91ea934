import type { ComponentProps } from 'preact'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'ref'> {
  text: string
}

/** A button with text alone; `type=button` unless given otherwise. */
export const Button = ({ text, ...rest }: ButtonProps) => (
  <button type="button" {...rest}>
    {text}
  </button>
)
