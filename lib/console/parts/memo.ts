import { Component, type ComponentType, h } from 'preact'

/** Makes no objects: it runs for every item of a list at each of its changes. */
function isSame<P extends object>(one: P, other: P): boolean {
  for (const key in one) if (!Object.is(one[key], other[key])) return false
  for (const key in other) if (!(key in one)) return false
  return true
}

/** Draws a component anew only when one of its properties is another value: for the items of a long list. */
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
