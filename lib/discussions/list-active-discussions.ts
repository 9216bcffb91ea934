import type { DiscussionList } from '../contract/comments.ts'
import type { DiscussionsDeps } from './deps.ts'

/** Lists at most `take` games by their newest visible comment. */
export async function listActiveDiscussions(
  { activeDiscussions }: DiscussionsDeps,
  { take }: { take: number },
): Promise<DiscussionList> {
  const all = await activeDiscussions.read()
  return { results: all.slice(0, take) }
}
