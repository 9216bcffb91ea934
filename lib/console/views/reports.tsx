import { useForms } from '../discussion/open-forms.ts'
import { StrayForms } from '../discussion/written-forms.tsx'
import { Page } from '../parts/basics.tsx'
import { FilterTabs, Paged } from '../parts/list.tsx'
import { useQuery } from '../parts/query.tsx'
import { Inbox } from '../reports/inbox.tsx'
import { readChoice, readPage } from '../route.ts'
import { HELD_REPORTS, waiting } from '../waiting-counts.ts'

const TABS = { open: 'Open', held: 'Held', resolved: 'Resolved' }
const LISTS = {
  open: { query: { held: 'false' }, empty: 'No reported comments.' },
  held: { query: { held: 'true' }, empty: 'No comment waits for a moderator.' },
  resolved: { query: { status: 'resolved' }, empty: 'No resolved reports.' },
} as const

const TAKE = 20
const EVERY_MS = 30_000

export function ReportsView() {
  const tab = readChoice('status', TABS) ?? 'open'
  const { query, empty } = LISTS[tab]
  const page = readPage()
  useForms('reports')
  const list = useQuery('GET /reports', { query: { ...query, page, take: TAKE } }, { everyMs: EVERY_MS })
  const { reports = 0, [HELD_REPORTS]: held = 0 } = waiting.value

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
      <FilterTabs label="Status" parameter="status" names={TABS} counts={{ open: reports - held, held }}>
        <Paged query={list} take={TAKE} empty={empty} hint="Reports of readers and held comments appear here.">
          {(rows) => <Inbox key={`${tab} ${page}`} rows={rows} empty={empty} />}
        </Paged>
      </FilterTabs>
    </Page>
  )
}
