import { expect, test } from 'vitest'
import { readSources, type Source } from '../support/tools/read-sources.ts'

const functions: Source[] = await readSources('functions')
const code: Source[] = [...(await readSources('realtime')), ...(await readSources('lib'))]

const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const filesOf = (sources: readonly Source[]) => sources.map(({ file }) => file)

test('files are kebab-case', () => {
  expect(filesOf(code).filter((file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.d)?\.(m?ts|tsx)$/.test(file))).toEqual([])
})

test('no file is called for having no better name', () => {
  const vague = /(^|[/-])(utils?|helpers?|common|misc|shared|stuff)([/.-]|$)/

  expect(filesOf([...code, ...functions]).filter((file) => vague.test(file))).toEqual([])
})

test('no barrels but those of the contract and the client', () => {
  const barrels = code.filter(({ file, text }) => file.endsWith('/index.ts') || /^export \*/m.test(text))

  expect(filesOf(barrels)).toEqual(['lib/client/index.ts', 'lib/contract/index.ts'])
})

test('default exports in functions/ only', () => {
  expect(filesOf(code.filter(({ text }) => /^export default|\bas default\b/m.test(text)))).toEqual([])
})

test('a verb is one file with one exported function, whose name it bears', () => {
  const calls = functions.flatMap(({ text }) =>
    Array.from(text.matchAll(/import \{([^}]+)\} from '(?:\.\.\/)+(lib\/[^']+)'/g), ([, names = '', target = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => new RegExp(`\\b${name}\\(deps\\b`).test(text))
        .map((name) => ({ name, target })),
    ).flat(),
  )
  // A conversion into the public shape has the same name in every domain.
  const verbs = new Map(
    calls.filter(({ target }) => !target.endsWith('/to-wire.ts')).map(({ name, target }) => [target, name]),
  )
  expect(verbs.size).toBeGreaterThan(15)

  for (const [target, name] of verbs) {
    const exported = code.find(({ file }) => file === target)?.text.matchAll(/^export async function (\w+)\(/gm) ?? []
    const names = Array.from(exported, ([, found = '']) => found)
    expect(target.split('/').at(-1)).toBe(`${toKebab(name)}.ts`)
    expect(names.length, `${target} exports ${names}`).toBeLessThanOrEqual(1)
  }
})

test('every exported verb has its sentence', () => {
  const bare = code.flatMap(({ file, text }) =>
    Array.from(text.matchAll(/^(.*)\nexport async function (\w+)/gm))
      .filter(([, before = '']) => !before.trimEnd().endsWith('*/'))
      .map(([, , name]) => `${file} ${name}`),
  )

  expect(bare).toEqual([])
})
