// Writes `functions/routes.d.ts`, the source of the client's types, from the names of the files in `functions`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { sep } from 'node:path'

const FOLDER = 'functions'
const ROUTES = `${FOLDER}/routes.d.ts`
const FILE = /^(?<path>.+)\.(?<method>get|post|put|patch|delete)\.ts$/

function describe(file) {
  const { path, method } = FILE.exec(file).groups
  const route = path.replaceAll(/\[(\w+)\]/g, ':$1')
  return `  '${method.toUpperCase()} /${route}': typeof import('./${file}').default\n`
}

/** Writes the routes after a file was added or removed. @returns true when they were stale */
export function writeRoutes() {
  const names = readdirSync(FOLDER, { recursive: true }).map((name) => name.replaceAll(sep, '/'))
  const lines = names
    .filter((name) => FILE.test(name))
    .sort()
    .map(describe)
  const text = `/** Every endpoint by its route: the types of the client are made from it. Written by the tool. */
export interface Functions {
${lines.join('')}}
`
  if (readFileSync(ROUTES, 'utf8') === text) return false
  writeFileSync(ROUTES, text)
  return true
}
