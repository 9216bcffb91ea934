/** What a write that announces itself needs. */
export interface FeedDeps {
  /** Names this instance among all that use the database. */
  instance: string
}
