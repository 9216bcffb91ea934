/** Moves the focus among the buttons of the list that handles the key: to a neighbour, with Home and End to an end. */
export function moveFocus(event: KeyboardEvent, back: string, forward: string): HTMLButtonElement | undefined {
  if (!(event.currentTarget instanceof Element)) return undefined
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button.matches(':focus'))
  const targets: Record<string, number> = {
    [back]: index - 1,
    [forward]: (index + 1) % buttons.length,
    Home: 0,
    End: -1,
  }
  const target = targets[event.key]
  if (target === undefined) return undefined
  event.preventDefault()
  const button = buttons.at(target)
  button?.focus()
  return button
}
