import type { Source } from './sources.ts'

const NUMBER = /^[1-9]\d{0,9}$/

/** The forms of the ids of each source, without leading zeros. Texts of another form are never requested. */
export const ID_FORMS: Record<Source, RegExp> = {
  igdb: NUMBER,
  /** The source refuses a whole request when one id is longer. */
  vndb: /^v[1-9]\d{0,6}$/,
  hltb: NUMBER,
  ra: NUMBER,
}
