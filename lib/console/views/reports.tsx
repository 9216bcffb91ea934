import { useState } from 'preact/hooks'
import { readGames } from '../game-names.ts'
import { hall } from '../hall.ts'
import { setWaiting } from '../navigation.ts'
import { notifyError } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { ReportedComment } from '../reports/reported-comment.tsx'
import { useAnswer } from '../use-answer.ts'
import { useRefresh } from '../use-refresh.ts'

const TAKE = 10
const EVERY_MS = 30_000

/** Reported comments, most reports first. */
export function ReportsView() {
  const [page, setPage] = useState(1)
  const {
    answer: reported,
    error,
    load,
  } = useAnswer(`${page}`, {
    read: (signal) => hall.call('GET /comments/reported', { query: { page, take: TAKE }, signal }),
    onAnswer({ results, total }) {
      setWaiting('reports', total)
      if (results.length === 0 && page > 1) return setPage(page - 1)
      readGames([...new Set(results.map(({ gameId }) => gameId))]).catch(notifyError)
    },
  })
  useRefresh(load, EVERY_MS)

  return (
    <Page title="Reports" lead="Comments that readers reported, most reports first.">
      {error && <Problem error={error} onRetry={load} />}
      {reported === undefined && !error && <Busy label="Loading the reports …" />}
      {reported?.total === 0 && (
        <Empty icon="chat" title="Nothing is reported.">
          What readers report shows up here.
        </Empty>
      )}
      {reported !== undefined && reported.total > 0 && (
        <>
          <ul class="reports" aria-label="Reported comments">
            {reported.results.map((comment) => (
              <ReportedComment key={comment._id} comment={comment} onDone={() => void load()} />
            ))}
          </ul>
          <Pager page={page} take={TAKE} total={reported.total} onPage={setPage} />
        </>
      )}
    </Page>
  )
}
