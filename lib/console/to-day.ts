/** The day in UTC of a time in Unix seconds, as yyyy-mm-dd. */
export const toDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
