import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Config } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { type FunctionDefinition, isFunctionDefinition } from './define-function.ts'

interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A Hono pattern: `/comments/:id/like`. */
  path: string
}

const FILE = /^(?<path>.+)\.(?<method>get|post|put|patch|delete)\.(ts|js)$/
const SEGMENT = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const PARAMETER = /^\[(?<name>[a-zA-Z][a-zA-Z0-9]*)\]$/

/** The route of a function file: `comments/[id]/like.put.ts` is `PUT /comments/:id/like`. Null for any other name. */
export function parseRoute(file: string): Route | null {
  const groups = FILE.exec(file)?.groups
  if (groups?.path === undefined || groups.method === undefined) return null

  const segments = groups.path.split('/').map((segment) => {
    const name = PARAMETER.exec(segment)?.groups?.name
    if (name !== undefined) return `:${name}`
    return SEGMENT.test(segment) ? segment : null
  })
  const parameters = segments.filter((segment) => segment?.startsWith(':'))
  if (segments.includes(null) || new Set(parameters).size < parameters.length) return null

  // The pattern allows only these five.
  return { method: groups.method.toUpperCase() as Route['method'], path: `/${segments.join('/')}` }
}

/** Sorts fixed segments before parameters, because Hono takes the first match: `~` sorts after every character of a segment. */
const toSortKey = (file: string) => file.replaceAll('[', '~')

export interface LoadedFunction extends Route {
  /** Below the folder, with `/` between segments. */
  file: string
  definition: FunctionDefinition
}

/** False for an endpoint of own accounts where the accounts are those of a site. */
export const isServed = ({ site }: Pick<Config, 'site'>, { definition }: Pick<LoadedFunction, 'definition'>) =>
  site === undefined || definition.accounts !== 'own'

export const FUNCTIONS_FOLDER = fileURLToPath(new URL('../../../functions/', import.meta.url))

const toShape = (path: string) => path.replace(/:[^/]+/g, ':')

async function loadOne(folder: string, file: string): Promise<LoadedFunction> {
  const route = parseRoute(file)
  if (route === null) throw new StartError(`functions/${file} is not named <path>.<method>.ts`)

  const path = join(folder, file)
  const module: { default?: unknown } = await import(pathToFileURL(path).href)
  if (!isFunctionDefinition(module.default)) {
    throw new StartError(`functions/${file} does not default-export a function definition`)
  }
  return { ...route, file, definition: module.default }
}

/** Refuses two files of one path with other parameter names, because the router would use the first for both. */
function refuseClashes(functions: readonly LoadedFunction[]): void {
  const shapes = new Map<string, LoadedFunction>()
  for (const loaded of functions) {
    const { file, path } = loaded
    const sibling = shapes.get(toShape(path)) ?? loaded
    if (sibling.path !== path) {
      throw new StartError(
        `functions/${sibling.file} and functions/${file} name the parameters of one path differently`,
      )
    }
    shapes.set(toShape(path), loaded)
  }
}

/**
 * Loads every function file of a folder, fixed segments before parameters.
 * @throws StartError on a foreign file, a file without a definition, or two files of one route
 */
export async function loadFunctions(folder = FUNCTIONS_FOLDER): Promise<LoadedFunction[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .sort((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1))

  const functions = await Promise.all(files.map((file) => loadOne(folder, file)))
  refuseClashes(functions)
  return functions
}
