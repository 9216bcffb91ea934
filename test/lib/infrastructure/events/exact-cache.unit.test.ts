import { beforeEach, expect, it } from 'vitest'
import { createExactCache, type ExactCache } from '#lib/infrastructure/events/exact-cache'

const A = 'a'.repeat(24)
const B = 'b'.repeat(24)

let isLive: boolean
let cache: ExactCache<{ text: string }>
beforeEach(() => {
  isLive = true
  cache = createExactCache({ isLive: () => isLive, maxBytes: 10_000, sizeOf: ({ text }) => text.length })
})

const value = (text: string) => async () => ({ text })
const textAt = (id: string, name?: string) => cache.get(id, name)?.text

function slowRead(key: string, text: string) {
  let end = () => {}
  const read = cache.read(
    key,
    () =>
      new Promise((resolve) => {
        end = () => resolve({ text })
      }),
  )
  return { read, end: () => end() }
}

it('a drop forgets every key of its id, and no other', async () => {
  for (const [id, name] of [
    [A, 'top'],
    [A, 'new'],
    [B, 'top'],
  ] as const)
    await cache.read(id, value(name), name)
  expect([textAt(A, 'top'), textAt(A, 'new')]).toEqual(['top', 'new'])
  cache.drop(A)
  expect([textAt(A, 'top'), textAt(A, 'new'), textAt(B, 'top')]).toEqual([undefined, undefined, 'top'])
})

it('a drop lets no read fill that began before it, also where several read together', async () => {
  const [slow, other] = [slowRead(A, 'old'), slowRead(B, 'other')]
  cache.drop(A)
  const fresh = cache.read(A, value('new'))
  for (const { end } of [slow, other]) end()
  expect([await slow.read, await fresh]).toEqual([{ text: 'old' }, { text: 'new' }])
  await other.read
  expect([textAt(A), textAt(B)]).toEqual(['new', 'other'])
})

it('a drop raises the version', () => {
  const { version } = cache
  cache.drop(A)
  expect(cache.version).toBeGreaterThan(version)
})

it('concurrent readers of one key share a load', async () => {
  const slow = slowRead(A, 'shared')
  const second = cache.read(A, value('own'))
  slow.end()
  expect(await second).toEqual({ text: 'shared' })
})

it('a failed load is not kept', async () => {
  await expect(cache.read(A, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await cache.read(A, value('back'))).toEqual({ text: 'back' })
})

it('the cache neither answers nor keeps nor shares while changes do not arrive', async () => {
  await cache.read(A, value('first'))
  isLive = false
  expect(textAt(A)).toBeUndefined()
  const slow = slowRead(A, 'slow')
  expect(await cache.read(A, value('own'))).toEqual({ text: 'own' })
  isLive = true
  slow.end()
  await slow.read
  expect(textAt(A)).toBe('first')
})

it('a cleared cache is empty, whatever is being loaded', async () => {
  await cache.read(A, value('first'))
  const slow = slowRead(B, 'old')
  cache.clear()
  slow.end()
  await slow.read
  expect([textAt(A), textAt(B)]).toEqual([undefined, undefined])
})

it('reading several ids loads the missing ones at once, and answers the others from the cache', async () => {
  await cache.read(A, value('kept'))
  const loads: string[][] = []
  const found = await cache.readMany([A, B, 'c', B], async (missing) => {
    loads.push(missing)
    return [[B, { text: 'loaded' }]]
  })
  expect(loads).toEqual([[B, 'c']])
  expect([...found]).toEqual([
    [A, { text: 'kept' }],
    [B, { text: 'loaded' }],
  ])
  expect([textAt(B), textAt('c')]).toEqual(['loaded', undefined])
  expect((await cache.readMany(['c'], async () => [['c', { text: 'made' }]])).get('c')).toEqual({ text: 'made' })
})

it('reading several ids answers what it loaded, and keeps nothing that was dropped meanwhile', async () => {
  const found = await cache.readMany([A, B, 'c'], async () => {
    for (const id of [A, 'c']) cache.drop(id)
    return [
      [A, { text: 'old' }],
      [B, { text: 'other' }],
    ]
  })
  expect(found.get(A)).toEqual({ text: 'old' })
  expect([textAt(A), textAt(B)]).toEqual([undefined, 'other'])
})

it('reading several ids fails where the load fails, and loads again afterwards', async () => {
  await expect(cache.readMany([A, B], () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect([...(await cache.readMany([A], async () => [[A, { text: 'back' }]]))]).toEqual([[A, { text: 'back' }]])
})
