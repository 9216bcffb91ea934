import { Page } from '../parts/page.tsx'

export const GameView = () => <Page title="Game">…</Page>
