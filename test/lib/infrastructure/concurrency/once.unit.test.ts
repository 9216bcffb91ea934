import { expect, test } from 'vitest'
import { once } from '#lib/infrastructure/concurrency/once'

test('those who ask meanwhile share a promise and its failure; who asks later tries again', async () => {
  let attempts = 0
  const get = once(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('too many open files')
    return attempts
  })
  const refused = [get(), get()]
  for (const each of refused) await expect(each).rejects.toThrow('too many open files')

  expect(await Promise.all([get(), get()])).toEqual([2, 2])
  expect(await get()).toBe(2)
})
