/** The day in UTC of a time in Unix seconds, as yyyy-mm-dd. */
export const toIsoDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** The parts of a release date that follow from its time. */
export function toDateParts(seconds: number): { human: string; month: number; year: number } {
  const day = new Date(seconds * 1_000)
  return { human: toIsoDay(seconds), month: day.getUTCMonth() + 1, year: day.getUTCFullYear() }
}
