import { expect, it } from 'vitest'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('answers in the order of the items, with no more at work than the limit', async () => {
  let running = 0
  let most = 0
  const results = await mapLimited([5, 1, 4, 0, 3, 2], 3, async (turns) => {
    running += 1
    most = Math.max(most, running)
    for (let index = 0; index < turns; index += 1) await turn()
    running -= 1
    return turns * 2
  })

  expect(results).toEqual([10, 2, 8, 0, 6, 4])
  expect(most).toBe(3)
  expect(await mapLimited([], 3, async () => 1)).toEqual([])
})

it('begins nothing more after a failure, and rejects when what is under way has ended', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = mapLimited([0, 1, 2, 3, 4], 2, async (item) => {
    begun.push(item)
    await turn()
    if (item === 0) throw new Error('first')
    await turn()
    ended.push(item)
    if (item === 1) throw new Error('second')
  })

  await expect(work).rejects.toThrow('first')
  expect(begun).toEqual([0, 1])
  expect(ended).toEqual([1])
})
