import { expect, it } from 'vitest'
import { runSchedules } from '../../support/tools/random.ts'
import { startHub, type Wiring } from './hub.ts'
import { createSchedule, play } from './schedule.ts'

async function playOver(wiring: Wiring, schedule: ReturnType<typeof createSchedule>) {
  const hub = await startHub(wiring)
  try {
    return await play(hub, schedule)
  } finally {
    await hub.close()
  }
}

it('every client sees what it would see of the in-memory adapter', { timeout: 120_000 }, async () => {
  let seen = 0
  await runSchedules({ count: 3, choices: 3_000 }, async (random) => {
    const schedule = createSchedule(random, 40)
    const [ours, theirs] = await Promise.all([playOver('wire', schedule), playOver('in-memory', schedule)])
    expect(ours).toEqual(theirs)
    seen += Object.values(theirs).flat().length
  })
  expect(seen).toBeGreaterThan(300)
})
