import type { ComponentChildren } from 'preact'

interface ExternalLinkProps {
  /** An address from a source or a record: only http, https and views of the console become links. */
  href: string
  class?: string
  children: ComponentChildren
}

/** Opens a link in a new tab; draws the text alone when the address is no page. */
export const ExternalLink = ({ href, children, ...rest }: ExternalLinkProps) =>
  /^(https?:\/\/|#\/)/i.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer" {...rest}>
      {children}
    </a>
  ) : (
    <span {...rest}>{children}</span>
  )
