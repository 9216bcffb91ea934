import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StartError } from '../../base/errors.ts'
import { type FunctionDefinition, isFunctionDefinition } from './define-function.ts'
import { compareRoutes, parseRoute, type Route } from './parse-route.ts'

export interface LoadedFunction extends Route {
  /** Below the folder, with `/` between segments. */
  file: string
  definition: FunctionDefinition
}

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

/** Refuses two files of one route, or of one path with other parameter names: the router would use the first for both. */
function refuseClashes(functions: readonly LoadedFunction[]): void {
  const routes = new Map<string, LoadedFunction>()
  const shapes = new Map<string, LoadedFunction>()

  for (const loaded of functions) {
    const { method, path, file } = loaded
    const twin = routes.get(`${method} ${toShape(path)}`)
    if (twin) throw new StartError(`functions/${twin.file} and functions/${file} are both ${method} ${path}`)
    const sibling = shapes.get(toShape(path)) ?? loaded
    if (sibling.path !== path) {
      throw new StartError(
        `functions/${sibling.file} and functions/${file} name the parameters of one path differently`,
      )
    }
    routes.set(`${method} ${toShape(path)}`, loaded)
    shapes.set(toShape(path), loaded)
  }
}

/**
 * Loads every function file of a folder, fixed segments before parameters.
 * @throws StartError on a foreign file, a file without a definition, or conflicting files
 */
export async function loadFunctions(folder = FUNCTIONS_FOLDER): Promise<LoadedFunction[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.endsWith('.d.ts'))

  const functions = await Promise.all(files.sort().map((file) => loadOne(folder, file)))
  refuseClashes(functions)
  return functions.sort((a, b) => compareRoutes(a.path, b.path))
}
