import { useForms } from '../discussion/open-forms.ts'
import { StrayForms } from '../discussion/written-forms.tsx'
import { Page } from '../frame/page.tsx'
import { useQuery } from '../hooks/use-query.ts'
import { Empty } from '../parts/basics.tsx'
import { Paged } from '../parts/loaded.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Inbox } from '../reports/inbox.tsx'
import { ResolvedItem } from '../reports/reported-item.tsx'
import { readPage, route, setQuery } from '../route.ts'
import { HELD_REPORTS, waiting } from '../waiting-counts.ts'

const TABS = {
  open: { name: 'Open', query: { status: 'open', held: 'false' }, empty: 'No reported comments.' },
  held: { name: 'Held', query: { status: 'open', held: 'true' }, empty: 'No comment waits for a moderator.' },
  resolved: { name: 'Resolved', query: { status: 'resolved' }, empty: 'No resolved reports.' },
} as const
type Tab = keyof typeof TABS
const HINTS: Readonly<Record<Tab, string>> = {
  open: 'Reported comments appear here.',
  held: 'First comments of new accounts appear here where the service holds them.',
  resolved: 'Decided reports appear here.',
}
// Object.keys answers strings; these are the keys of the type.
const TAB_NAMES = Object.keys(TABS) as readonly Tab[]

const TAKE = 20
const EVERY_MS = 30_000

/** The inbox of the admins: reported and held comments, and what became of earlier ones. */
export function ReportsView() {
  const wanted = route.value.query.get('status')
  const tab = TAB_NAMES.find((name) => name === wanted) ?? 'open'
  const { empty, query } = TABS[tab]
  const page = readPage()
  useForms('reports')
  const list = useQuery('GET /reports', { query: { ...query, page, take: TAKE } }, { everyMs: EVERY_MS })
  const { reports: total, [HELD_REPORTS]: held = 0 } = waiting.value
  const counts = { open: total && total - held, held, resolved: undefined }

  return (
    <Page
      title="Reports"
      lead={
        <span class="keys">
          <kbd>↓</kbd> <kbd>↑</kbd> open, <kbd>H</kbd> hide, <kbd>K</kbd> keep, <kbd>D</kbd> delete, <kbd>S</kbd>{' '}
          suspend, <kbd>R</kbd> or a digit for the reason, <kbd>U</kbd> undo
        </span>
      }
    >
      <StrayForms />
      <Tabs<Tab>
        label="Status"
        tabs={TAB_NAMES.map((value) => ({ value, name: TABS[value].name, count: counts[value] }))}
        selected={tab}
        onSelect={(value) => setQuery({ status: value === 'open' ? undefined : value, page: undefined })}
      >
        <Paged query={list} take={TAKE} icon="chat" empty={empty} hint={HINTS[tab]}>
          {(rows) =>
            tab === 'resolved' ? (
              <ul class="stack" aria-label="Resolved reports">
                {rows.map((report) => (
                  <ResolvedItem key={report.comment._id} report={report} />
                ))}
              </ul>
            ) : (
              <Inbox
                key={`${tab} ${page}`}
                rows={rows}
                empty={<Empty icon="chat" title={empty} children={HINTS[tab]} />}
              />
            )
          }
        </Paged>
      </Tabs>
    </Page>
  )
}
