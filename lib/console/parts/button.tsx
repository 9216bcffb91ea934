import type { ComponentProps } from 'preact'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'ref'> {
  text: string
}

/** A button with words alone; it sends no form, unless its type says so. */
export const Button = ({ text, ...rest }: ButtonProps) => (
  <button type="button" {...rest}>
    {text}
  </button>
)
