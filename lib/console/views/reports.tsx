import { readGames } from '../game-names.ts'
import { setWaiting } from '../navigation.ts'
import { notifyError } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { ReportedComment } from '../reports/reported-comment.tsx'
import { setQuery } from '../route.ts'
import { usePage } from '../use-address.ts'
import { useQuery } from '../use-query.ts'

const TAKE = 10
const EVERY_MS = 30_000

/** Reported comments, most reports first. */
export function ReportsView() {
  const page = usePage()
  const {
    answer: reported,
    error,
    load,
  } = useQuery(
    'GET /comments/reported',
    { query: { page, take: TAKE } },
    {
      everyMs: EVERY_MS,
      onAnswer({ results, total }) {
        setWaiting('reports', total)
        if (results.length === 0 && page > 1) return setQuery({ page: page === 2 ? undefined : String(page - 1) })
        readGames([...new Set(results.map(({ gameId }) => gameId))]).catch(notifyError)
      },
    },
  )

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
          <Pager take={TAKE} total={reported.total} />
        </>
      )}
    </Page>
  )
}
