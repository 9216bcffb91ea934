import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Finds the built file of a module of the service; the client and the console have none. */
function findBuilt(source: string, importer: string): string | undefined {
  const file = source.startsWith('#lib/') ? `${source.slice(1)}.ts` : relative(ROOT, join(dirname(importer), source))
  if (!/^(lib|functions|realtime)\/.*\.ts$/.test(file)) return undefined
  const built = join(ROOT, 'dist', file.replace(/ts$/, 'js'))
  return existsSync(built) ? built : undefined
}

/** Makes tests import the built service, which Node loads itself: each worker would transform 600 sources otherwise. */
export const builtService = {
  name: 'built service',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    importer !== undefined && /^(#lib\/|\.)/.test(source) ? findBuilt(source, importer) : undefined,
}
