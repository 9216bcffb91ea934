import type { ActiveDiscussions } from './active-discussions.ts'

export interface DiscussionsDeps {
  activeDiscussions: ActiveDiscussions
}
