import { expect, it } from 'vitest'
import { runSchedules } from '../../support/tools/random.ts'
import { startHub, type Wiring } from './hub.ts'
import { play } from './play.ts'

async function playOver(wiring: Wiring, random: () => number) {
  const hub = await startHub(wiring)
  try {
    return await play(hub, random, 40)
  } finally {
    await hub.close()
  }
}

it('every client receives the same as from the in-memory adapter', { timeout: 120_000 }, async () => {
  let seen = 0
  await runSchedules({ count: 3, choices: 8_000 }, async (random) => {
    const drawn = Array.from({ length: 8_000 }, random)
    const again = () => {
      let next = 0
      return () => drawn[next++] ?? 0
    }
    const [ours, theirs] = await Promise.all([playOver('wire', again()), playOver('in-memory', again())])
    expect(ours).toEqual(theirs)
    seen += Object.values(theirs).flat().length
  })
  expect(seen).toBeGreaterThan(300)
})
