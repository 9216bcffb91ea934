import { useEffect, useState } from 'preact/hooks'
import { type CommentThread, readThread } from '../discussion/read-thread.ts'
import { Page } from '../frame/page.tsx'
import { useGames } from '../game-names.ts'
import { usePage } from '../hooks/use-address.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { Paged } from '../parts/loaded.tsx'
import { ReportedComment } from '../reports/reported-comment.tsx'
import { setWaiting } from '../waiting-counts.ts'

const TAKE = 10
const EVERY_MS = 30_000
/** Comments are shown without their threads after this time; a late thread then moves the comments below it. */
const THREADS_WAIT_MS = 500

const WITHOUT_THREAD: CommentThread = { before: [], after: [], others: 0 }

/** Reported comments, most reports first. */
export function ReportsView() {
  const page = usePage()
  const [threads, setThreads] = useState<ReadonlyMap<string, CommentThread>>(new Map())
  const [waitedFor, setWaitedFor] = useState('')
  const query = useQuery(
    'GET /comments/reported',
    { query: { page, take: TAKE } },
    { everyMs: EVERY_MS, onAnswer: ({ total }, readAt) => setWaiting('reports', total, readAt) },
  )
  const reported = query.answer?.results ?? []
  const ids = reported.map(({ _id }) => _id).join()
  useGames(reported.map(({ gameId }) => gameId))

  useEffect(() => {
    for (const comment of reported.filter(({ _id }) => !threads.has(_id))) {
      void readThread(comment)
        .catch(() => WITHOUT_THREAD)
        .then((thread) => setThreads((known) => new Map(known).set(comment._id, thread)))
    }
    const timer = setTimeout(setWaitedFor, THREADS_WAIT_MS, ids)
    return () => clearTimeout(timer)
  }, [ids])

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
          waitedFor === ids || comments.every(({ _id }) => threads.has(_id)) ? (
            <ul class="grid reports" aria-label="Reported comments">
              {comments.map((comment) => (
                <ReportedComment
                  key={comment._id}
                  comment={comment}
                  thread={threads.get(comment._id) ?? WITHOUT_THREAD}
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
