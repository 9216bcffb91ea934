const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** A moment of today as `10:02`. */
export const toClockTime = (at: Date | number | string): string => CLOCK.format(new Date(at))
