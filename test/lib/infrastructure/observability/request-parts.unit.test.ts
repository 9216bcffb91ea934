import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRequestParts, measured } from '#lib/infrastructure/observability/request-parts'

const MS = 200

it('work of one part that overlaps counts once, also when it fails, and what still runs counts until now', async () => {
  const parts = createRequestParts()
  const failing = sleep(MS).then(() => Promise.reject(new Error('away')))
  void parts.time('sources', new Promise(() => {}))
  const startedAt = performance.now()
  await expect(Promise.all([parts.time('storage', sleep(MS)), parts.time('storage', failing)])).rejects.toThrow('away')
  const tookMs = performance.now() - startedAt
  await sleep(MS)

  const { storageMs = 0, sourcesMs = 0, ...others } = parts.read()
  expect(others).toEqual({})
  expect(storageMs).toBeGreaterThanOrEqual(MS - 2)
  expect(storageMs).toBeLessThan(1.5 * tookMs)
  expect(sourcesMs).toBeGreaterThanOrEqual(2 * MS - 2)
})

it('a wrapped object behaves as before, its parts too, and its promises are measured', async () => {
  const parts = createRequestParts()
  class Shelf {
    #books = ['a']
    name = 'one'
    inner = { count: async () => this.#books.length }
    add = (book: string) => this.#books.push(book)
    async list() {
      return this.#books
    }
  }
  const shelf = measured(new Shelf(), 'database', parts)

  expect(shelf.add('b')).toBe(2)
  expect(parts.read()).toEqual({})
  expect([shelf.name, await shelf.list(), await shelf.inner.count()]).toEqual(['one', ['a', 'b'], 2])
  expect(parts.read()).toEqual({ databaseMs: expect.any(Number) })
})
