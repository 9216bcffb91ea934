import type { ComponentType } from 'preact'
import type { Route, ViewProps } from './route.ts'

type LoadView = () => Promise<ComponentType<ViewProps>>

export interface View {
  /** `games/:idOrSlug`: fixed segments and parameters. */
  pattern: string
  /** The users who may open it. Others are asked to sign in, or told that it is for admins. */
  audience: 'everybody' | 'users' | 'admins'
  /** Its name in the navigation; views that others lead to have none. */
  name?: string
  /** Loaded when it is opened, so that the first view waits for nothing else. */
  load: LoadView
}

/** Every view of the console; the first is what the page opens with. */
export const VIEWS: readonly View[] = [
  {
    pattern: 'discussions',
    audience: 'everybody',
    name: 'Discussions',
    load: async () => (await import('./views/discussions.tsx')).DiscussionsView,
  },
  {
    pattern: 'games/:idOrSlug',
    audience: 'everybody',
    load: async () => (await import('./views/game.tsx')).GameView,
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
  {
    pattern: 'conflicts',
    audience: 'admins',
    name: 'Conflicts',
    load: async () => (await import('./views/conflicts.tsx')).ConflictsView,
  },
  {
    pattern: 'conflicts/:source/:externalId',
    audience: 'admins',
    load: async () => (await import('./views/conflict.tsx')).ConflictView,
  },
  {
    pattern: 'requests',
    audience: 'admins',
    name: 'Requests',
    load: async () => (await import('./views/requests.tsx')).RequestsView,
  },
  {
    pattern: 'requests/:id',
    audience: 'admins',
    load: async () => (await import('./views/request.tsx')).RequestView,
  },
  {
    pattern: 'reports',
    audience: 'admins',
    name: 'Reports',
    load: async () => (await import('./views/reports.tsx')).ReportsView,
  },
  {
    pattern: 'log',
    audience: 'admins',
    name: 'Staff log',
    load: async () => (await import('./views/log.tsx')).LogView,
  },
  {
    pattern: 'operations',
    audience: 'admins',
    name: 'Operations',
    load: async () => (await import('./views/operations.tsx')).OperationsView,
  },
]

interface FoundView {
  view: View
  params: ViewProps
}

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

/** Finds the view of an address. */
export function findView({ path }: Pick<Route, 'path'>): FoundView | undefined {
  for (const view of VIEWS) {
    const params = readParams(view.pattern, path)
    if (params !== undefined) return { view, params }
  }
  return undefined
}
