import type { Source } from './sources.ts'

const NUMBER = /^[1-9]\d{0,9}$/

/** The forms of the ids of each source, which are without leading zeros: a text that cannot be one is never asked for. */
export const ID_FORMS: Record<Source, RegExp> = {
  igdb: NUMBER,
  /** The source refuses a whole request in which one id is longer. */
  vndb: /^v[1-9]\d{0,6}$/,
  hltb: NUMBER,
  ra: NUMBER,
}
