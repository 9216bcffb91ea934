/** The needs of a write that announces itself. */
export interface FeedDeps {
  /** Names this instance among all that use the database. */
  instance: string
}
