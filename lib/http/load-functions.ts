import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StartError } from '../errors.ts'
import { type FunctionDefinition, isFunctionDefinition } from './define-function.ts'
import { compareRoutes, type Route, routeOf } from './route-of.ts'

export interface LoadedFunction extends Route {
  /** Below the folder, with `/` between segments. */
  file: string
  definition: FunctionDefinition
}

export const FUNCTIONS_FOLDER = fileURLToPath(new URL('../../functions/', import.meta.url))

const SHAPE_OF = (path: string) => path.replace(/:[^/]+/g, ':')

async function loadOne(folder: string, file: string): Promise<LoadedFunction> {
  const route = routeOf(file)
  if (route === null) throw new StartError(`functions/${file} is not named <path>.<method>.ts`)

  const module: { default?: unknown } = await import(pathToFileURL(`${folder}/${file}`).href)
  if (!isFunctionDefinition(module.default)) {
    throw new StartError(`functions/${file} does not default-export a function definition`)
  }
  return { ...route, file, definition: module.default }
}

/**
 * Loads every function file of a folder, fixed segments before parameters.
 * @throws StartError on a foreign file, a file without a definition, or two files of one route
 */
export async function loadFunctions(folder = FUNCTIONS_FOLDER): Promise<LoadedFunction[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath}${sep}${entry.name}`.slice(folder.replace(/[/\\]$/, '').length + 1))
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !file.endsWith('.d.ts'))

  const functions = await Promise.all(files.map((file) => loadOne(folder, file)))
  const seen = new Map<string, string>()
  for (const { method, path, file } of functions) {
    const key = `${method} ${SHAPE_OF(path)}`
    const other = seen.get(key)
    if (other !== undefined) throw new StartError(`functions/${other} and functions/${file} are both ${method} ${path}`)
    seen.set(key, file)
  }
  return functions.sort((a, b) => compareRoutes(a.path, b.path))
}
