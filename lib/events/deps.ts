/** The needs of a write that others hear of. */
export interface EventsDeps {
  /** Names this instance among all that use the database. */
  instance: string
}
