import { expect, test } from 'vitest'
import { createDocuments } from '../../../lib/docs/create-documents.ts'
import { loadFunctions } from '../../../lib/http/load-functions.ts'
import { namespaces } from '../../../realtime/namespaces.ts'

/** A list that counts how often it was read. */
function counted<T extends object>(list: T) {
  let reads = 0
  const proxy = new Proxy(list, {
    get(target, key, receiver) {
      reads += 1
      return Reflect.get(target, key, receiver)
    },
  })
  return { proxy, reads: () => reads }
}

test.each(['openApi', 'asyncApi', 'page'] as const)('%s is made once, when it is first asked for', async (part) => {
  const parts = { functions: counted(await loadFunctions()), namespaces: counted(namespaces) }
  const documents = createDocuments({
    functions: parts.functions.proxy,
    namespaces: parts.namespaces.proxy,
    config: { publicUrl: 'http://localhost:3228' },
  })
  const reads = () => parts.functions.reads() + parts.namespaces.reads()
  expect(reads()).toBe(0)
  const first = await documents[part]()
  const before = reads()
  expect(before).toBeGreaterThan(0)

  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => documents[part]())))).toEqual(new Set([first]))
  expect(reads()).toBe(before)
})

test('a page that could not be made is made when it is asked for again', async () => {
  let isBroken = true
  const broken = new Proxy(namespaces, {
    get(target, key, receiver) {
      if (isBroken) throw new Error('too many open files')
      return Reflect.get(target, key, receiver)
    },
  })
  const config = { publicUrl: 'http://localhost:3228' }
  const documents = createDocuments({ functions: [], namespaces: broken, config })
  await expect(documents.page()).rejects.toThrow('too many open files')
  isBroken = false

  expect(await documents.page()).toContain('<h1>gamehall</h1>')
})
