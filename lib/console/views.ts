import type { ComponentType } from 'preact'
import type { Route, ViewProps } from './route.ts'
import { DiscussionsView } from './views/discussions.tsx'
import { GameView } from './views/game.tsx'

export interface View {
  /** `games/:idOrSlug`: fixed segments and parameters. */
  pattern: string
  /** The users who may open the view. Other users see a sign-in button, or a message that the view is for admins. */
  audience: 'everybody' | 'users' | 'admins'
  /** The name in the navigation; left out for views that are reached from others. */
  name?: string
  /** Answers the component. Views of discussions are loaded with the page, others when they are opened. */
  load(): ComponentType<ViewProps> | Promise<ComponentType<ViewProps>>
}

const from =
  <N extends string>(name: N, load: () => Promise<Record<N, ComponentType<ViewProps>>>) =>
  async () =>
    (await load())[name]

const links = () => import('./views/links.tsx')
const royal = () => import('./views/royal.tsx')
const mine = () => import('./views/my-requests.tsx')
const operations = () => import('./views/operations.tsx')
const admin = () => import('./admin-views.ts')

export const VIEWS: readonly View[] = [
  { pattern: 'discussions', audience: 'everybody', name: 'Discussions', load: () => DiscussionsView },
  { pattern: 'games/:idOrSlug', audience: 'everybody', load: () => GameView },
  { pattern: 'games/:idOrSlug/comments/:commentId', audience: 'everybody', load: () => GameView },
  { pattern: 'reset', audience: 'everybody', load: from('ResetView', links) },
  { pattern: 'first-admin', audience: 'everybody', load: from('FirstAdminView', links) },
  { pattern: 'royal', audience: 'users', name: 'Royal games', load: from('RoyalView', royal) },
  { pattern: 'my-requests', audience: 'users', name: 'My requests', load: from('MyRequestsView', mine) },
  { pattern: 'conflicts', audience: 'admins', name: 'Conflicts', load: from('ConflictsView', admin) },
  { pattern: 'conflicts/:source/:externalId', audience: 'admins', load: from('ConflictView', admin) },
  { pattern: 'requests', audience: 'admins', name: 'Requests', load: from('RequestsView', admin) },
  { pattern: 'requests/:id', audience: 'admins', load: from('RequestView', admin) },
  { pattern: 'reports', audience: 'admins', name: 'Reports', load: from('ReportsView', admin) },
  { pattern: 'sync', audience: 'admins', name: 'Sources', load: from('SourcesView', admin) },
  { pattern: 'users/:id', audience: 'admins', load: from('UserView', admin) },
  { pattern: 'log', audience: 'admins', name: 'Staff log', load: from('LogView', admin) },
  { pattern: 'operations', audience: 'admins', name: 'Operations', load: from('OperationsView', operations) },
]

const isParameter = (part: string) => part.startsWith(':')

export function findView({ path }: Pick<Route, 'path'>): { view: View; params: ViewProps } | undefined {
  for (const view of VIEWS) {
    const parts = view.pattern.split('/').map((part, index) => [part, path[index] ?? ''] as const)
    const isFound = parts.length === path.length && parts.every(([part, sent]) => isParameter(part) || part === sent)
    if (!isFound) continue
    const params = parts.filter(([part]) => isParameter(part)).map(([part, sent]) => [part.slice(1), sent])
    return { view, params: Object.fromEntries(params) }
  }
  return undefined
}
