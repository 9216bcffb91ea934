import { Component, type ComponentType, h } from 'preact'

/** Allocates nothing: it runs for every item of a list at each change. */
function isSame<P extends object>(one: P, other: P): boolean {
  for (const key in one) if (!Object.is(one[key], other[key])) return false
  for (const key in other) if (!(key in one)) return false
  return true
}

/** Redraws a component only when one of its properties has changed: for the items of a long list. */
export function memo<P extends object>(Drawn: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>) {
      return !isSame(this.props, next)
    }
    override render() {
      return h(Drawn, this.props)
    }
  }
}
