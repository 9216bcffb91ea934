import { type ComponentType, h } from 'preact'
import { useMemo } from 'preact/hooks'

/** Redraws a component only when one of its properties has changed: for the items of a long list. */
export const memo =
  <P extends object>(Drawn: ComponentType<P>) =>
  (props: P) =>
    useMemo(() => h(Drawn, props), Object.values(props))
