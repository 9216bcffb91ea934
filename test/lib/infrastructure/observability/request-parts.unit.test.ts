import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRequestParts, measured } from '#lib/infrastructure/observability/request-parts'

const MS = 200

it('work of one part that overlaps counts once, and other parts and idle time do not', async () => {
  const parts = createRequestParts()
  const startedAt = performance.now()
  await Promise.all([
    parts.time('database', sleep(MS)),
    parts.time('database', sleep(MS)),
    parts.time('turn', sleep(1)),
  ])
  const endedAt = performance.now()
  await sleep(MS)

  const { databaseMs = 0 } = parts.read()
  expect(Object.keys(parts.read()).sort()).toEqual(['databaseMs', 'turnMs'])
  expect(databaseMs).toBeGreaterThanOrEqual(MS - 2)
  expect(databaseMs).toBeLessThanOrEqual(endedAt - startedAt + 1)
})

it('work that fails is measured and fails, and work that still runs counts until now', async () => {
  const parts = createRequestParts()
  const failing = sleep(MS).then(() => Promise.reject(new Error('away')))
  await expect(parts.time('storage', failing)).rejects.toThrow('away')
  const end = parts.start('sources')
  await sleep(MS)

  expect(parts.read()).toEqual({ storageMs: expect.any(Number), sourcesMs: expect.any(Number) })
  for (const ms of Object.values(parts.read())) expect(ms).toBeGreaterThanOrEqual(MS - 2)
  end()
})

it('an object that is wrapped does what it did, in its parts too, and what it promises is measured', async () => {
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
