import { useForms } from '../discussion/open-forms.ts'
import { StrayForms } from '../discussion/written-forms.tsx'
import { Page } from '../frame/page.tsx'
import { useQuery } from '../hooks/use-query.ts'
import { Paged } from '../parts/loaded.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Inbox } from '../reports/inbox.tsx'
import { readPage, route, setQuery } from '../route.ts'
import { HELD_REPORTS, waiting } from '../waiting-counts.ts'

const TABS = [
  { value: 'open', name: 'Open', query: { held: 'false' }, empty: 'No reported comments.' },
  { value: 'held', name: 'Held', query: { held: 'true' }, empty: 'No comment waits for a moderator.' },
  { value: 'resolved', name: 'Resolved', query: { status: 'resolved' }, empty: 'No resolved reports.' },
] as const
type Tab = (typeof TABS)[number]['value']

const TAKE = 20
const EVERY_MS = 30_000

export function ReportsView() {
  const wanted = route.value.query.get('status')
  const { value: tab, query, empty } = TABS.find(({ value }) => value === wanted) ?? TABS[0]
  const page = readPage()
  useForms('reports')
  const list = useQuery('GET /reports', { query: { ...query, page, take: TAKE } }, { everyMs: EVERY_MS })
  const { reports = 0, [HELD_REPORTS]: held = 0 } = waiting.value
  const counts = { open: reports - held, held, resolved: undefined }

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
        tabs={TABS.map(({ value, name }) => ({ value, name, count: counts[value] }))}
        selected={tab}
        onSelect={(value) => setQuery({ status: value === 'open' ? undefined : value, page: undefined })}
      >
        <Paged query={list} take={TAKE} empty={empty} hint="Reports of readers and held comments appear here.">
          {(rows) => <Inbox key={`${tab} ${page}`} rows={rows} empty={empty} />}
        </Paged>
      </Tabs>
    </Page>
  )
}
