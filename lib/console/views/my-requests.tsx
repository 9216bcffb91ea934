import { Page } from '../parts/page.tsx'

export const MyRequestsView = () => <Page title="My requests">…</Page>
