import { Page } from '../parts/page.tsx'

export const DiscussionsView = () => <Page title="Discussions">…</Page>
