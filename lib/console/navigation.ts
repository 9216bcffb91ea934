import { type Signal, signal } from '@preact/signals'

/** How much waits in a view, by the view's pattern; shown beside its link while it is above 0. */
export const waiting: Signal<Readonly<Record<string, number>>> = signal({})

/** Says how much waits in a view. */
export function setWaiting(pattern: string, count: number): void {
  waiting.value = { ...waiting.value, [pattern]: count }
}
