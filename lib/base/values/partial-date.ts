const PARTIAL = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** Reads a year, a month or a day, and its first second in UTC. Undefined for other texts (`TBA`). */
export function readPartialDate(text: string | null | undefined) {
  const [, year, month = '01', day = '01'] = PARTIAL.exec(text ?? '') ?? []
  if (!text || year === undefined || year === '0000') return undefined

  const first = `${year}-${month}-${day}`
  const date = new Date(first)
  // A day that a month does not have would roll over into the next.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(first)) return undefined
  return { text, seconds: date.getTime() / 1000 }
}
