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
  /** Answers the component; those of discussions are loaded with the page, others when they are opened. */
  load(): ComponentType<ViewProps> | Promise<ComponentType<ViewProps>>
}

/** Loads a view of the admins; one script has all of them. */
const admin = (name: keyof typeof import('./admin-views.ts')) => async () => (await import('./admin-views.ts'))[name]

export const VIEWS: readonly View[] = [
  { pattern: 'discussions', audience: 'everybody', name: 'Discussions', load: () => DiscussionsView },
  { pattern: 'games/:idOrSlug', audience: 'everybody', load: () => GameView },
  { pattern: 'games/:idOrSlug/comments/:commentId', audience: 'everybody', load: () => GameView },
  { pattern: 'reset', audience: 'everybody', load: async () => (await import('./views/links.tsx')).ResetView },
  {
    pattern: 'first-admin',
    audience: 'everybody',
    load: async () => (await import('./views/links.tsx')).FirstAdminView,
  },
  {
    pattern: 'royal',
    audience: 'users',
    name: 'Royal games',
    load: async () => (await import('./views/royal.tsx')).RoyalView,
  },
  {
    pattern: 'my-requests',
    audience: 'users',
    name: 'My requests',
    load: async () => (await import('./views/my-requests.tsx')).MyRequestsView,
  },
  { pattern: 'conflicts', audience: 'admins', name: 'Conflicts', load: admin('ConflictsView') },
  { pattern: 'conflicts/:source/:externalId', audience: 'admins', load: admin('ConflictView') },
  { pattern: 'requests', audience: 'admins', name: 'Requests', load: admin('RequestsView') },
  { pattern: 'requests/:id', audience: 'admins', load: admin('RequestView') },
  { pattern: 'reports', audience: 'admins', name: 'Reports', load: admin('ReportsView') },
  { pattern: 'sync', audience: 'admins', name: 'Sources', load: admin('SourcesView') },
  { pattern: 'users/:id', audience: 'admins', load: admin('UserView') },
  { pattern: 'log', audience: 'admins', name: 'Staff log', load: admin('LogView') },
  {
    pattern: 'operations',
    audience: 'admins',
    name: 'Operations',
    load: async () => (await import('./views/operations.tsx')).OperationsView,
  },
]

function readParams(pattern: string, path: readonly string[]): ViewProps | undefined {
  const parts = pattern.split('/')
  if (parts.length !== path.length) return undefined
  const params: ViewProps = {}
  for (const [index, part] of parts.entries()) {
    const segment = path[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

export function findView({ path }: Pick<Route, 'path'>): { view: View; params: ViewProps } | undefined {
  for (const view of VIEWS) {
    const params = readParams(view.pattern, path)
    if (params !== undefined) return { view, params }
  }
  return undefined
}
