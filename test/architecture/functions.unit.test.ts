import { expect, test } from 'vitest'
import { createSchemaBook } from '../../lib/web/docs/schema-book.ts'
import { type LoadedFunction, loadFunctions } from '../../lib/web/http/load-functions.ts'
import { readSources, type Source } from '../support/tools/read-sources.ts'

const functions: LoadedFunction[] = await loadFunctions()
const sources: Source[] = [...(await readSources('functions')), ...(await readSources('lib'))]
const byFile = new Map(sources.map((source) => [source.file, source]))

/** Finds a file with everything that it imports, directly or not. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const target of byFile.get(file)?.imports ?? []) withImports(target, seen)
  return seen
}

test('an endpoint file declares the parameters that its path has', () => {
  for (const { file, path, definition } of functions) {
    const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name)
    const params = definition.params
    const book = createSchemaBook({ inputs: [], outputs: [] })
    const declared = params === undefined ? [] : book.fields(params).map(({ name }) => name)
    expect(declared.sort(), file).toEqual(inPath.sort())
  }
})

test('an endpoint file declares each error once, and none that follows from its other parts', () => {
  for (const { file, definition } of functions) {
    expect(new Set(definition.errors).size, file).toBe(definition.errors.length)
    expect(definition.errors, file).not.toContain('METHOD_NOT_ALLOWED')
    expect(definition.errors, file).not.toContain('UNSUPPORTED_MEDIA_TYPE')
    expect(definition.errors, file).not.toContain('TOO_LARGE')
    if (definition.limit) expect(definition.errors, file).not.toContain('RATE_LIMITED')
  }
})

test('an endpoint file has a body only where something changes', () => {
  const reading = functions.filter(({ method, definition }) => method === 'GET' && definition.body !== undefined)

  expect(reading.map(({ file }) => file)).toEqual([])
})

test('an endpoint file records a staff action exactly where an admin changes something', () => {
  const ofAdmins = functions.filter(({ definition: { auth, scope } }) => auth === 'admin' && scope === undefined)
  const recording = ofAdmins.filter(({ file }) =>
    withImports(`functions/${file.replace(/js$/, 'ts')}`).has('lib/domain/staff/record-staff-action.ts'),
  )

  expect(recording.map(({ file }) => file)).toEqual(
    ofAdmins.filter(({ method }) => method !== 'GET').map(({ file }) => file),
  )
  expect(recording.length).toBeGreaterThan(1)
})
