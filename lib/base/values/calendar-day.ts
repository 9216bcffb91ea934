/** Converts Unix seconds to the day in UTC, as yyyy-mm-dd. */
export const toIsoDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)

export function toDateParts(seconds: number): { human: string; month: number; year: number } {
  const day = new Date(seconds * 1_000)
  return { human: toIsoDay(seconds), month: day.getUTCMonth() + 1, year: day.getUTCFullYear() }
}
