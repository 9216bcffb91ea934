import { Page } from '../parts/page.tsx'

export const RoyalView = () => <Page title="Royal games">…</Page>
