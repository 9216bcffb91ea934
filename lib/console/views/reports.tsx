import { useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import { type Around, readThread } from '../discussion/read-thread.ts'
import { Page } from '../frame/page.tsx'
import { readGames } from '../game-names.ts'
import { usePage } from '../hooks/use-address.ts'
import { useQuery } from '../hooks/use-query.ts'
import { notifyError } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { Paged } from '../parts/loaded.tsx'
import { ReportedComment } from '../reports/reported-comment.tsx'
import { setWaiting } from '../waiting-counts.ts'

const TAKE = 10
const EVERY_MS = 30_000

const ALONE: Around = { first: null, before: [], after: [], others: 0 }

/** Reported comments, most reports first. */
export function ReportsView() {
  const page = usePage()
  const [threads, setThreads] = useState<ReadonlyMap<string, Around>>(new Map())

  async function readThreads(comments: readonly Comment[]) {
    const read = comments
      .filter(({ _id }) => !threads.has(_id))
      .map(async (comment) => [comment._id, await readThread(comment).catch(() => ALONE)] as const)
    const found = await Promise.all(read)
    setThreads((known) => new Map([...known, ...found]))
  }
  const query = useQuery(
    'GET /comments/reported',
    { query: { page, take: TAKE } },
    {
      everyMs: EVERY_MS,
      onAnswer({ results, total }) {
        setWaiting('reports', total)
        void readThreads(results)
        readGames(results.map(({ gameId }) => gameId)).catch(notifyError)
      },
    },
  )

  return (
    <Page title="Reports" lead="Comments that readers reported, most reports first.">
      <Paged
        query={query}
        take={TAKE}
        empty={
          <Empty icon="chat" title="Nothing is reported.">
            What readers report shows up here.
          </Empty>
        }
      >
        {(comments) =>
          // What comes later would move what is read.
          comments.every(({ _id }) => threads.has(_id)) ? (
            <ul class="stack reports" aria-label="Reported comments">
              {comments.map((comment) => (
                <ReportedComment
                  key={comment._id}
                  comment={comment}
                  around={threads.get(comment._id) ?? ALONE}
                  onDone={() => void query.load()}
                />
              ))}
            </ul>
          ) : (
            <Busy />
          )
        }
      </Paged>
    </Page>
  )
}
