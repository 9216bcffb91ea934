import { expect, it } from 'vitest'
import { startHub } from './hub.ts'
import { createSchedule, play } from './schedule.ts'

it.each([1, 2, 3])('every client sees what it would see of the in-memory adapter: seed %i', async (seed) => {
  const schedule = createSchedule(seed, 40)
  const [ours, theirs] = await Promise.all(
    (['wire', 'in-memory'] as const).map(async (wiring) => {
      const hub = await startHub(wiring)
      try {
        return await play(hub, schedule)
      } finally {
        await hub.close()
      }
    }),
  )
  expect(ours).toEqual(theirs)
  expect(Object.values(theirs ?? {}).flat().length).toBeGreaterThan(100)
})
