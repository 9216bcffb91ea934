import type { ComponentChildren } from 'preact'

interface SectionProps {
  name: string
  class?: string
  isEmpty?: boolean
  children: ComponentChildren
}

/** A part of a view under its heading. */
export const Section = ({ name, class: look = '', isEmpty = false, children }: SectionProps) => (
  <section class={`stack tight ${look}`} aria-label={name}>
    <h2>{name}</h2>
    {isEmpty ? <p class="muted">None</p> : children}
  </section>
)
